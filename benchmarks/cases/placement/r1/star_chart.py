# pure
from graphbus_core import GraphBusNode, subscribe


class Degrees:
    def __set_name__(self, owner, name):
        self.minutes = name + "_minutes"

    def __get__(self, node, owner=None):
        return self if node is None else getattr(node, self.minutes) / 60


class StarChart(GraphBusNode):
    latitude = Degrees()
    latitude_minutes = 2850

    @property
    def horizon(self):
        return 90 - self.latitude

    @subscribe("/Star/Asked")
    def on_asked(self, payload):
        self.publish("/Star/Visible", {"star": payload["star"], "ever": payload["declination"] > -self.horizon})
