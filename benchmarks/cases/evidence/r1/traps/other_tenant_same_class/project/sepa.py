from graphbus_core import GraphBusNode, depends_on, schema_method


class Sepa(GraphBusNode):
    @depends_on("Bank.iban")
    @schema_method(input_schema={"iban": str}, output_schema={"order": str})
    def debit(self, iban):
        return {"order": f"debit {iban}"}
