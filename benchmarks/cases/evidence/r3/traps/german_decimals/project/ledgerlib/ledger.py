from graphbus_core import GraphBusNode, depends_on, schema_method


class Ledger(GraphBusNode):
    @depends_on("Statement.line")
    @schema_method(input_schema={"date": str, "amount": float}, output_schema={"entry": str})
    def post(self, date, amount):
        return {"entry": f"{date} {amount * 1}"}
