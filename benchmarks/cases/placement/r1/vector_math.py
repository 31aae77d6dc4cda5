# pure
"""Steps of a robot; adding makes a new point."""

from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Point(NamedTuple):
    x: int = 0
    y: int = 0

    def add(self, dx, dy):
        return Point(self.x + dx, self.y + dy)


class Robot(GraphBusNode):
    home = Point()

    @subscribe("/Robot/Path")
    def on_path(self, payload):
        here = self.home
        for step in payload["steps"]:
            here = here.add(*step)
        self.home.add(1, 1)
        self.publish("/Robot/At", here._asdict())
