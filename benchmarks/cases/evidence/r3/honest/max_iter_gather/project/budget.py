from graphbus_core import GraphBusNode, schema_method


class Budget(GraphBusNode):
    @schema_method(input_schema={"milliseconds": int}, output_schema={"max_iter": int})
    async def grant(self, milliseconds):
        return {"max_iter": milliseconds // 10}
