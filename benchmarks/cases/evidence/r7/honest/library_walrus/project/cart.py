from graphbus_core import GraphBusNode, depends_on, schema_method


class Cart(GraphBusNode):
    @depends_on("Catalogue.find")
    @schema_method(input_schema={"signature": str}, output_schema={"floor": str})
    def fetch(self, signature):
        return {"floor": signature.split()[0]}
