from graphbus_core import GraphBusNode, subscribe

from vouchers import known


class CodeBox(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Shop/CodeTyped")
    def on_event(self, text: str) -> dict[str, object]:
        code = text.strip().upper()
        return {"code": code, "valid": known(code)}
