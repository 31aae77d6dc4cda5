from graphbus_core import GraphBusNode, schema_method


class Card(GraphBusNode):
    @schema_method(input_schema={"shop": str}, output_schema={"amount": int})
    def swipe(self, shop):
        return {"amount": 5 * len(shop)}
