from graphbus_core import GraphBusNode, depends_on, schema_method


class Label(GraphBusNode):
    @depends_on("Register.find")
    @schema_method
    def print(self, town: str, zip: str) -> dict[str, str]:
        return {"text": town + " " + zip}
