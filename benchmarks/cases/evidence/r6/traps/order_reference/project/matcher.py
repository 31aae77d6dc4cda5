from graphbus_core import GraphBusNode, depends_on, schema_method


class Matcher(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.open = {}

    @depends_on("Checkout.finish")
    @schema_method(input_schema={"reference": str, "cents": int}, output_schema={"open": int})
    def expect(self, reference, cents):
        self.open[reference] = cents
        return {"open": len(self.open)}

    def statement(self, lines):
        matched = []
        for purpose, cents in lines:
            for reference, due in list(self.open.items()):
                if reference in purpose and due == cents:
                    matched.append(reference)
                    del self.open[reference]
        return matched
