from graphbus_core import GraphBusNode, schema_method


class Bank(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"sandbox_iban": str})
    def iban(self):
        return {"sandbox_iban": "DE00TEST"}

    @schema_method(input_schema={}, output_schema={"live_iban": str})
    def live(self):
        return {"live_iban": "DE89LIVE"}
