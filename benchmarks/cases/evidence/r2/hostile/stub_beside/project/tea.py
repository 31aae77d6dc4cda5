from graphbus_core import GraphBusNode, depends_on, schema_method


class Kettle(GraphBusNode):
    @schema_method(input_schema={"litres": float}, output_schema={"done_at": int})
    def boil(self, litres):
        return {"done_at": int(litres * 180)}


class Cup(GraphBusNode):
    @depends_on("Kettle.boil")
    @schema_method(input_schema={"start": int}, output_schema={"ready": int})
    def steep(self, start):
        return {"ready": start + 240}
