from graphbus_core import GraphBusNode, schema_method


class Camera(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"plate": str, "country": str})
    def see(self):
        return {"plate": "BE 4711", "country": "CH"}
