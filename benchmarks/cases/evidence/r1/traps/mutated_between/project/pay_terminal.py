from graphbus_core import GraphBusNode, depends_on, schema_method


class Price(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"euros": int})
    def get(self):
        return {"euros": 12}


class Terminal(GraphBusNode):
    @depends_on("Price.get")
    @schema_method(input_schema={"amount": int}, output_schema={"screen": str})
    def debit(self, amount):
        return {"screen": f"{amount // 100}.{amount % 100:02d}"}
