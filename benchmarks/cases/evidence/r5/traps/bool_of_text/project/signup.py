from graphbus_core import GraphBusNode, schema_method, subscribe


class Form(GraphBusNode):
    @schema_method(input_schema={"fields": dict}, output_schema={"email": str, "newsletter": str})
    def submit(self, fields):
        sent = {"email": fields["email"], "newsletter": fields.get("newsletter", "no")}
        self.publish("/form/sent", sent)
        return sent


class Mailer(GraphBusNode):
    @subscribe("/form/sent")
    @schema_method(input_schema={"email": str, "newsletter": bool}, output_schema={"list": list})
    def enlist(self, event):
        return {"list": [event["email"]] if event["newsletter"] else []}
