from graphbus_core import GraphBusNode, depends_on, schema_method


class Oven(GraphBusNode):
    @depends_on("Forecast.predict")
    @schema_method(input_schema={"pieces": int, "celsius": int}, output_schema={"trays": int})
    def bake(self, pieces, celsius):
        assert celsius > 200
        return {"trays": -(-pieces // 24)}
