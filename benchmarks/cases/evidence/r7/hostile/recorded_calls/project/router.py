from graphbus_core import GraphBusNode, depends_on, schema_method


class Router(GraphBusNode):
    @depends_on("Dispatch.assign")
    @schema_method(input_schema={"courier": str, "zone": str}, output_schema={"stops": list[str]})
    def route(self, courier, zone):
        return {"stops": ["depot", courier, zone]}
