from graphbus_core import GraphBusNode, depends_on, schema_method


class Dealer(GraphBusNode):
    @schema_method(input_schema={"lot": int}, output_schema={"year": int, "land": str, "price": int})
    def offer(self, lot):
        return {"year": 1932, "land": "Peru", "price": 3}


class Album(GraphBusNode):
    @depends_on("Dealer.offer")
    @schema_method(input_schema={"issued": int, "land": str}, output_schema={"page": str})
    def stick(self, issued, land):
        return {"page": f"{land} {issued // 10 * 10}s"}
