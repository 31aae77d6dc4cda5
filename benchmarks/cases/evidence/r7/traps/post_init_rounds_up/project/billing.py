from graphbus_core import GraphBusNode, depends_on, schema_method


class Billing(GraphBusNode):
    price = {"eu": 9, "us": 12}

    @depends_on("Call.end")
    @schema_method(input_schema={"duration": int, "zone": str}, output_schema={"cents": int})
    def add(self, duration, zone):
        return {"cents": duration * self.price[zone]}
