from graphbus_core import GraphBusNode, schema_method


class Member(GraphBusNode):
    cards = {"Ada": "0071", "Bo": "71"}

    @schema_method(input_schema={"name": str}, output_schema={"number": str})
    def card(self, name):
        return {"number": self.cards[name]}
