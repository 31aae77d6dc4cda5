from graphbus_core import GraphBusNode, schema_method


class AirStation(GraphBusNode):
    @schema_method(output_schema={"temp": float})
    def sample(self, hour: int):
        return {"temp": 6.0 - (hour % 12) * 0.5}


class SoilProbe(GraphBusNode):
    @schema_method(output_schema={"value": float})
    def measure(self, hour: int):
        return {"value": 2.0 - (hour % 12) * 0.7}
