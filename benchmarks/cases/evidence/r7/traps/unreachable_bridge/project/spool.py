from graphbus_core import GraphBusNode, schema_method


class Spool(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"pages": int, "duplex": bool})
    def job(self):
        return {"pages": 48, "duplex": True}
