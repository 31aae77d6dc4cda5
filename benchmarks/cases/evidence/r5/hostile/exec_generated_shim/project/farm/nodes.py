from graphbus_core import GraphBusNode, depends_on, schema_method


class Crop(GraphBusNode):
    @schema_method(input_schema={"fields": int}, output_schema={"tonnes": float, "moisture": float})
    def estimate(self, fields):
        return {"tonnes": 2.5 * fields, "moisture": 14.0}


class Truck(GraphBusNode):
    @depends_on("Crop.estimate")
    @schema_method(input_schema={"freight_t": float}, output_schema={"trips": int})
    def load(self, freight_t):
        return {"trips": -int(-freight_t // 10)}
