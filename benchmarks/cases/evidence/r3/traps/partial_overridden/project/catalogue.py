from graphbus_core import GraphBusNode, schema_method


class Catalogue(GraphBusNode):
    @schema_method(input_schema={"article": str}, output_schema={"list_price": int})
    def look(self, article):
        return {"list_price": 100 * len(article)}
