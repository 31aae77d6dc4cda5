from graphbus_core import GraphBusNode, schema_method


class Parcel(GraphBusNode):
    @schema_method(input_schema={"sides": list}, output_schema={"girth": int})
    def measure(self, sides):
        long, *rest = sorted(sides, reverse=True)
        return {"girth": long + 2 * sum(rest)}
