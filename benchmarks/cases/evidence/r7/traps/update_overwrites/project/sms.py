from graphbus_core import GraphBusNode, depends_on, schema_method


class Sms(GraphBusNode):
    @depends_on("Form.submit")
    @schema_method(input_schema={"number": str, "text": str}, output_schema={"queued": str})
    def send(self, number, text):
        return {"queued": f"{number}: {text[:160]}"}
