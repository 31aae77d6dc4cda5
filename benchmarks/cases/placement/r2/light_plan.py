# pure
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Light(Enum):
    RED = "red"
    GREEN = "green"
    YELLOW = "yellow"

    def following(self):
        order = list(Light)
        return order[(order.index(self) + 1) % len(order)]


class LightPlan(GraphBusNode):
    @subscribe("/Light/Is")
    def on(self, payload):
        self.publish("/Light/Next", {"light": Light(payload["phase"]).following().value})
