from graphbus_core import GraphBusNode, depends_on, schema_method


class Contract(GraphBusNode):
    @depends_on("Offer.price")
    @schema_method(input_schema={"amount": float}, output_schema={"clause": str})
    def sign(self, amount):
        return {"clause": f"The fee is {amount:.2f} a year."}
