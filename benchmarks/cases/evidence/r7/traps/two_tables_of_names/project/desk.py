from graphbus_core import GraphBusNode, schema_method


class Desk(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"order_no": str, "invoice_no": str, "sum": int})
    def order(self):
        return {"order_no": "B-1042", "invoice_no": "R-2203", "sum": 80}
