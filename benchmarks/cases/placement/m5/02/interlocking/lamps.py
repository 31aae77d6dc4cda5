from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe

from .layout import Aspect


class LampRoom(GraphBusNode):
    """Drives the lamps; an LED unit is to be changed after five switchings."""

    @subscribe("/Lamp/Show")
    def on_show(self, aspect: str) -> str:
        lamp = Aspect[aspect]
        lamp.lit += 1
        return "replace " + lamp.colour if lamp.lit % 5 == 0 else "ok"


class AspectNames(GraphBusNode):
    @subscribe("/Lamp/Name")
    def on_name(self, colour: str) -> str:
        try:
            return Aspect(colour).name.title()
        except ValueError:
            return "Dark"
