from graphbus_core import GraphBusNode, schema_method


class Api(GraphBusNode):
    @schema_method(input_schema={"nr": int}, output_schema={"post_id": str, "likes": int})
    def post(self, nr):
        return {"post_id": f"{nr:06d}", "likes": 3}
