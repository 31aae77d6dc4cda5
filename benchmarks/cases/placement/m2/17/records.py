from graphbus_core import GraphBusNode, subscribe

from formats import rows


class CallRecords(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Telco/Records/Arrived")
    def on_records(self, text: str) -> dict[str, int]:
        good = [r for r in rows(text) if len(r) == 3 and r[2].isdigit()]
        return {"calls": len(good), "seconds": sum(int(r[2]) for r in good), "bad": len(text.splitlines()) - len(good)}
