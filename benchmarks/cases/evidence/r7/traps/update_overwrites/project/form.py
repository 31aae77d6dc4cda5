from graphbus_core import GraphBusNode, schema_method


class Form(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"phone": str, "text": str})
    def submit(self):
        return {"phone": "079 / 555 12 12", "text": "Your table is ready"}
