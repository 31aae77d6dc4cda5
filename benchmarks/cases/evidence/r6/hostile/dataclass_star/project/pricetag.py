from graphbus_core import GraphBusNode, depends_on, schema_method


class PriceTag(GraphBusNode):
    """Tags for the shelf."""

    @depends_on("Scanner.read")
    @schema_method(input_schema={"article": str, "price": float}, output_schema={"tag": str})
    def print_tag(self, article, price):
        return {"tag": f"{article} | {price:.2f}"}
