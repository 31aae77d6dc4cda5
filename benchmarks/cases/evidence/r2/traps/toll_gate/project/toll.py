from graphbus_core import GraphBusNode, depends_on, schema_method


class Scale(GraphBusNode):
    @schema_method
    def weigh(self, plate: str) -> dict[str, int]:
        return {"load": 7500}


class Toll(GraphBusNode):
    @depends_on("Scale.weigh")
    @schema_method(input_schema={"tonnes": float}, output_schema={"euros": float})
    def charge(self, tonnes):
        return {"euros": tonnes * 2}
