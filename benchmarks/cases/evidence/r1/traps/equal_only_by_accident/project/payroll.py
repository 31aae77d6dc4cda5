from graphbus_core import GraphBusNode, depends_on, schema_method

ACCOUNTS = {7: "DE-cleaner", 4007: "DE-nurse-seven"}


class Payroll(GraphBusNode):
    @depends_on("Roster.shift")
    @schema_method(input_schema={"account_id": int, "hours": int}, output_schema={"to": str, "cents": int})
    def pay(self, account_id, hours):
        return {"to": ACCOUNTS[account_id], "cents": hours * 3100}
