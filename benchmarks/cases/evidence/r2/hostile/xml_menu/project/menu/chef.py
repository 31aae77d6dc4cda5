from graphbus_core import GraphBusNode, schema_method


class Chef(GraphBusNode):
    @schema_method(input_schema={"day": str}, output_schema={"dish": str, "price": str})
    def propose(self, day):
        return {"dish": "goulash", "price": "9"}
