from graphbus_core import GraphBusNode, depends_on, schema_method


class Notice(GraphBusNode):
    @depends_on("Transfer.book")
    @schema_method(input_schema={"account": str, "amount": int}, output_schema={"text": str})
    def write(self, account, amount):
        return {"text": f"{account}: {amount} moved"}
