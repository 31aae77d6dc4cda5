from graphbus_core import GraphBusNode, depends_on, schema_method

from kinds import InvoiceNo


class Reminder(GraphBusNode):
    @depends_on("Billing.issue")
    @schema_method(output_schema={"text": str})
    def remind(self, invoice: InvoiceNo):
        return {"text": f"Please pay {invoice}."}
