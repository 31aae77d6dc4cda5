from graphbus_core import GraphBusNode, depends_on, schema_method


class Ensemble(GraphBusNode):
    SIZE = 3

    @depends_on("Registry.pick")
    @schema_method(output_schema={"members": list[str]})
    def build(self, base_estimator: str):
        members = [f"{base_estimator}-{i}" for i in range(self.SIZE)]
        return {"members": members}
