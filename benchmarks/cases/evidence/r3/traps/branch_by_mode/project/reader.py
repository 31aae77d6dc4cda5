from graphbus_core import GraphBusNode, schema_method


class Reader(GraphBusNode):
    @schema_method(output_schema={"badge": str, "chip": str})
    def scan(self, card: str):
        badge, chip = card.split("/")
        return {"badge": badge, "chip": chip}
