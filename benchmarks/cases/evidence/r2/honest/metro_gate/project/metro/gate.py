from graphbus_core import GraphBusNode, depends_on, schema_method


class MetroGate(GraphBusNode):
    @depends_on("Wallet.tap")
    @schema_method
    def open(self, card_number: str, credit: int) -> dict[str, str]:
        return {"lamp": f"{card_number[-2:]} ok" if credit > 2 else "stop"}
