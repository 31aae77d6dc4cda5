from graphbus_core import GraphBusNode, depends_on, schema_method


class Desk(GraphBusNode):
    @depends_on("NordFeed.quote")
    @schema_method(input_schema={"price": float}, output_schema={"discount": bool})
    def mark(self, price):
        return {"discount": price < 100}
