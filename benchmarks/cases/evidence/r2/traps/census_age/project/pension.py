from graphbus_core import GraphBusNode, depends_on, schema_method


class Pension(GraphBusNode):
    @depends_on("Census.person")
    @schema_method
    def due(self, age: int) -> dict[str, int]:
        return {"years": max(0, 67 - age)}
