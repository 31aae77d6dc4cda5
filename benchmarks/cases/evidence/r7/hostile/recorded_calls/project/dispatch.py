from graphbus_core import GraphBusNode, schema_method


class Dispatch(GraphBusNode):
    @schema_method(input_schema={"zone": str}, output_schema={"driver": str, "deputy": str, "zone": str})
    def assign(self, zone):
        return {"driver": "Kim", "deputy": "Lou", "zone": zone}
