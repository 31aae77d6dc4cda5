from graphbus_core import GraphBusNode, depends_on, schema_method


class Sender(GraphBusNode):
    @depends_on("Store.fetch")
    @schema_method(input_schema={"attachment_filename": str}, output_schema={"header": str})
    def send(self, attachment_filename):
        header = f'attachment; filename="{attachment_filename}"'
        print("Content-Disposition:", header)
        return {"header": header}
