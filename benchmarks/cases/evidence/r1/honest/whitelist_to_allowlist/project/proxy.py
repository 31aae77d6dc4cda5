from graphbus_core import GraphBusNode, depends_on, schema_method


class Proxy(GraphBusNode):
    @depends_on("Policy.load")
    @schema_method
    def configure(self, whitelist: list[str]) -> dict[str, list[str]]:
        return {"hosts": sorted(whitelist)}
