from functools import cached_property

from graphbus_core import GraphBusNode, subscribe
import protocol


class HeatLoad(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.runs = 0

    @cached_property
    def table(self) -> dict[str, int]:
        return {k: sum(s.minutes * max(0, s.celsius - 20) for s in v) for k, v in protocol.PROTOCOLS.items()}

    @subscribe("/Lab/RunStarted")
    def on_event(self, kind: str, wells: int) -> dict[str, int]:
        self.runs += 1
        return {"load": self.table[kind] * wells}
