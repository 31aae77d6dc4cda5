from graphbus_core import GraphBusNode, depends_on, schema_method


class Charger(GraphBusNode):
    @depends_on("Wallet.choose")
    @schema_method
    def charge(self, source: str, amount: int) -> dict[str, str]:
        return {"receipt": f"{amount} from {source}"}
