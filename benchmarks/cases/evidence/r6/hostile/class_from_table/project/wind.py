from statistics import fmean

from graphbus_core import GraphBusNode, schema_method

PULSES = [31, 33, 32, 32]


class Wind(GraphBusNode):
    """A cup anemometer: four pulses a second for each metre a second."""

    @schema_method(input_schema={}, output_schema={"speed_ms": float, "gust_ms": float})
    def measure(self):
        return {"speed_ms": fmean(PULSES) / 4, "gust_ms": max(PULSES) / 4}
