# pure
import math

from graphbus_core import GraphBusNode, subscribe


class ShapeMeasurer(GraphBusNode):
    @subscribe("/Shape/Drawn")
    def on(self, payload):
        match payload["shape"]:
            case {"kind": "circle", "r": radius}:
                area = math.pi * radius**2
            case {"kind": "box", "a": a, "b": b}:
                area = a * b
            case _:
                area = 0
        self.publish("/Shape/Measured", {"area": area})
