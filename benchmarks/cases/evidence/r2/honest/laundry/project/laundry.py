from graphbus_core import GraphBusNode, depends_on, schema_method


class Basket(GraphBusNode):
    @schema_method(input_schema={"room": int}, output_schema={"whites": int, "wool": int})
    def sort(self, room):
        return {"whites": 4, "wool": 1}


class Washer(GraphBusNode):
    @depends_on("Basket.sort")
    @schema_method(input_schema={"hot_load": int, "wool": int}, output_schema={"minutes": int})
    def start(self, hot_load, wool):
        return {"minutes": 20 * hot_load + 10 * wool}
