from graphbus_core import GraphBusNode, depends_on, schema_method


def check_digit(digits):
    return sum(map(int, digits)) % 10


class Bank(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.expected = set()

    @depends_on("Invoices.issue")
    @schema_method(input_schema={"reference": str}, output_schema={"open": int})
    def expect(self, reference):
        self.expected.add(reference)
        return {"open": len(self.expected)}

    def paid(self, text):
        return text in self.expected
