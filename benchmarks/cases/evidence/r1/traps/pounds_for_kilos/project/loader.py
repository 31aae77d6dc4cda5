from graphbus_core import GraphBusNode, depends_on, schema_method

LIMIT_KG = 1500.0


class Loader(GraphBusNode):
    @depends_on("Scale.weigh")
    @schema_method
    def load(self, awb: str, weight_kg: float) -> dict[str, bool]:
        return {"loaded": weight_kg <= LIMIT_KG}
