from graphbus_core import GraphBusNode, subscribe

from logscan import LogRecord, Severity
from logscan.throttle import page_someone


class AlertNode(GraphBusNode):
    @subscribe("/Line")
    def on_line(self, line: str) -> dict:
        record = LogRecord.parse(line)
        if record is None or record.severity < Severity.ERROR:
            return {"alert": False}
        if not page_someone(record.fingerprint):
            return {"alert": False}
        return {"alert": True, "subject": f"{record.service} says: {record.text}"}
