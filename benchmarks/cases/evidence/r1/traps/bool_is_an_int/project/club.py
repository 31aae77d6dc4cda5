from graphbus_core import GraphBusNode, depends_on, schema_method


class Dues(GraphBusNode):
    HISTORY = {"ann": [10, 10, 10]}

    @schema_method(input_schema={"who": str}, output_schema={"who": str, "paid": bool})
    def check(self, who):
        return {"who": who, "paid": bool(self.HISTORY[who])}


class Chart(GraphBusNode):
    @depends_on("Dues.check")
    @schema_method(input_schema={"who": str, "payments": int}, output_schema={"bar": str})
    def bar(self, who, payments):
        return {"bar": who + " " + "#" * payments}
