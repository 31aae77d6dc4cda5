from graphbus_core import GraphBusNode, depends_on, schema_method


class Certificate(GraphBusNode):
    @depends_on("Accounts.get")
    @schema_method(input_schema={"full_name": str}, output_schema={"text": str})
    def print_for(self, full_name):
        return {"text": f"This is to certify that {full_name} ..."}
