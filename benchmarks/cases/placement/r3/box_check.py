# pure
from graphbus_core import GraphBusNode, subscribe


class Between:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name)

    def __set__(self, obj, value):
        if not self.low <= value <= self.high:
            obj.problems.append(f"{self.name[1:]} {value}")
            value = min(max(value, self.low), self.high)
        setattr(obj, self.name, value)


class Box:
    width = Between(10, 120)
    height = Between(5, 80)

    def __init__(self, width, height):
        self.problems = []
        self.width = width
        self.height = height


class BoxCheck(GraphBusNode):
    @subscribe("/Box/Measured")
    def on_measured(self, payload):
        box = Box(payload["width"], payload["height"])
        self.publish("/Box/Checked", {"area": box.width * box.height, "problems": box.problems})
