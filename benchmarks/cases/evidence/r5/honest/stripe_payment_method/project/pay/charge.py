from graphbus_core import GraphBusNode, depends_on, schema_method


class Charge(GraphBusNode):
    @depends_on("Wallet.default")
    @schema_method(input_schema={"source": str}, output_schema={"receipt": str})
    def create(self, source):
        return {"receipt": "paid with " + source.removeprefix("pm_")}
