from graphbus_core import GraphBusNode, subscribe

from plugins import HANDLERS, numbered as ticket


class Refunds(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Shop/RefundAsked")
    def on_event(self, kind: str, cents: int) -> dict[str, object]:
        fee = HANDLERS[kind](cents) if kind in HANDLERS else 0
        return {"refund": max(0, cents - fee), "ticket": ticket("G")}
