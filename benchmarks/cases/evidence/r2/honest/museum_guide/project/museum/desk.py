from graphbus_core import GraphBusNode, schema_method


class Desk(GraphBusNode):
    @schema_method(input_schema={"visitor": str}, output_schema={"lang": str, "ticket": int})
    def sell(self, visitor):
        return {"lang": "da", "ticket": 9}
