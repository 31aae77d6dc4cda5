import math
from collections.abc import Callable

from graphbus_core import GraphBusNode, schema_method


def bell(hour: float) -> float:
    return max(0.0, 8.0 * math.sin((hour - 6) / 12 * math.pi))


class Inverter(GraphBusNode):
    """A roof of 8 kW; the sun is a function of the hour."""

    def __init__(self, sun: Callable[[float], float] = bell, hour: float = 12.0):
        super().__init__()
        self.sun = sun
        self.hour = hour

    @schema_method(input_schema={}, output_schema={"kw": float, "hour": float})
    def poll(self):
        reading = {"kw": round(self.sun(self.hour), 3), "hour": self.hour}
        self.hour = (self.hour + 0.25) % 24
        return reading
