import itertools

from graphbus_core import GraphBusNode, schema_method


class Gauge(GraphBusNode):
    """Water level at the weir, centimetres."""

    def __init__(self, levels=(112.0, 118.5, 121.0)):
        super().__init__()
        self._levels = itertools.cycle(levels)

    @schema_method(input_schema={}, output_schema={"value": float})
    def sample(self):
        return {"value": next(self._levels)}
