from graphbus_core import GraphBusNode, schema_method


class Inbox(GraphBusNode):
    @schema_method(input_schema={"subject": str}, output_schema={"case_no": str, "sender_no": str})
    def triage(self, subject):
        return {"case_no": "2024-118", "sender_no": "77031"}
