from graphbus_core import GraphBusNode, depends_on, schema_method


class Tariff(GraphBusNode):
    @depends_on("Parcel.measure")
    @schema_method(input_schema={"length": int}, output_schema={"cents": int})
    def price(self, length):
        return {"cents": 399 if length <= 60 else 649 if length <= 120 else 1649}
