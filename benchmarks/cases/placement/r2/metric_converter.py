# pure
from graphbus_core import GraphBusNode, subscribe


class Converter(GraphBusNode):
    FACTOR = 1.0

    def convert(self, value):
        return round(value * self.FACTOR, 3)


class MetricConverter(Converter):
    FACTOR = 2.54

    @subscribe("/Inch/Measured")
    def on(self, payload):
        self.publish("/Cm/Told", {"cm": self.convert(payload["inch"])})
