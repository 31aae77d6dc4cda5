from graphbus_core import GraphBusNode, schema_method


class Pairing(GraphBusNode):
    @schema_method(input_schema={"names": list}, output_schema={"second": str, "first": str})
    def draw(self, names):
        first, second = sorted(names, key=len)
        return dict(second=second, first=first)
