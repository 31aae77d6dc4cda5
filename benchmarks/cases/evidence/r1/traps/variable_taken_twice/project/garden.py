from graphbus_core import GraphBusNode, depends_on, schema_method


class Forecast(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"rain_mm": int})
    def tomorrow(self):
        return {"rain_mm": 9}


class Sprinkler(GraphBusNode):
    """Lets so much water out."""

    @depends_on("Forecast.tomorrow")
    @schema_method(input_schema={"water_mm": int}, output_schema={"minutes": int})
    def plan(self, water_mm):
        return {"minutes": water_mm * 4}
