from graphbus_core import GraphBusNode, depends_on, schema_method


class Mailbox(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"from": str, "subject": str})
    def top(self):
        return {"from": "spam@x.example", "subject": "win"}


class Filter(GraphBusNode):
    @depends_on("Mailbox.top")
    @schema_method(input_schema={"sender": str, "subject": str}, output_schema={"spam": bool})
    def judge(self, sender, subject):
        return {"spam": sender.startswith("spam")}
