from graphbus_core import GraphBusNode, depends_on, schema_method


class Pager(GraphBusNode):
    @depends_on("Ward.team")
    @schema_method
    def page(self, code: int) -> dict[str, str]:
        return {"sent": "broadcast" if code == 0 else f"beep {code}"}
