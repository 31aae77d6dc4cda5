# pure
import math
from types import SimpleNamespace

from graphbus_core import GraphBusNode, subscribe


def _area_circle(s):
    return math.pi * s.r ** 2


def _area_rect(s):
    return s.w * s.h


def _area_ring(s):
    s.r, s.inner = max(s.r, s.inner), min(s.r, s.inner)
    return _area_circle(s) - math.pi * s.inner ** 2


class ShapeArea(GraphBusNode):
    precision = 3

    @subscribe("/Shape/Drawn")
    def on_drawn(self, payload):
        shape = SimpleNamespace()
        for key, value in payload.items():
            if key != "kind":
                setattr(shape, key, float(value))
        function = globals().get(f"_area_{payload['kind']}")
        if function is None:
            self.publish("/Shape/Unknown", {"kind": payload["kind"]})
        else:
            area = round(function(shape), getattr(self, "precision", 2))
            self.publish("/Shape/Area", {"area": area, **vars(shape)})
