from graphbus_core import GraphBusNode, schema_method


class Catalogue(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"ean": str, "price": float})
    def article(self, name):
        return {"ean": "4006381333931", "price": 2.49}
