from graphbus_core import GraphBusNode, subscribe

from plugins import HANDLERS


class PaymentFee(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.methods = sorted(HANDLERS)

    @subscribe("/Shop/Paid")
    def on_event(self, kind: str, cents: int) -> dict[str, object]:
        fn = HANDLERS.get(kind)
        if fn is None:
            return {"error": "one of " + ", ".join(self.methods)}
        return {"fee": fn(cents)}
