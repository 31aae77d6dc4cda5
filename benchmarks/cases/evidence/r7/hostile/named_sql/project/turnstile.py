from graphbus_core import GraphBusNode, schema_method


class Turnstile(GraphBusNode):
    @schema_method(input_schema={"card": str}, output_schema={"badge": str, "gate": str, "minute": int})
    def pass_(self, card):
        return {"badge": card, "gate": "south", "minute": 481}
