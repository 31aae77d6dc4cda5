from graphbus_core import GraphBusNode, depends_on, schema_method


class Transfer(GraphBusNode):
    @depends_on("Payslip.compute")
    @schema_method(output_schema={"order": str})
    def send_money(self, amount: int):
        return {"order": f"CHF {amount:,}"}
