from graphbus_core import GraphBusNode, subscribe

from logscan.records import LogRecord


class ParseNode(GraphBusNode):
    @subscribe("/Lines")
    def on_lines(self, lines: list[str]) -> dict:
        records = []
        rejected = 0
        services: dict[str, int] = {}
        for line in lines:
            record = LogRecord.parse(line)
            if record is None:
                rejected += 1
                continue
            records.append(record.as_dict())
            services[record.service] = max(services.get(record.service, 0), int(record.severity))
        return {"records": records, "rejected": rejected, "worst": services}
