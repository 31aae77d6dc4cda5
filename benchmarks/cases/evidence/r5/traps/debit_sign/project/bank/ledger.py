from graphbus_core import GraphBusNode, depends_on, schema_method


class Ledger(GraphBusNode):
    @depends_on("Card.swipe")
    @schema_method(input_schema={"change": int}, output_schema={"balance": int})
    def post(self, change):
        return {"balance": 100 + change}
