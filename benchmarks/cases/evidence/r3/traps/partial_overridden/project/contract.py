from graphbus_core import GraphBusNode, depends_on, schema_method


class Contract(GraphBusNode):
    @depends_on("Catalogue.look")
    @schema_method(input_schema={"price": int}, output_schema={"text": str})
    def sign(self, price):
        return {"text": f"sold for {price}"}
