from graphbus_core import GraphBusNode, depends_on, schema_method


class Chargeback(GraphBusNode):
    """Undoes a sale."""

    @depends_on("Till.sale")
    @schema_method
    def order(self, payer: str, payee: str, cents: int) -> dict[str, str]:
        return {"slip": f"{payer} gives {payee} {cents}"}
