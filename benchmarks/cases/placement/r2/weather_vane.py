# stateful
import sys

from graphbus_core import GraphBusNode, subscribe

THIS = sys.modules[__name__]
last = "calm"


class WeatherVane(GraphBusNode):
    @subscribe("/Wind/Turned")
    def on(self, payload):
        turned = (THIS.last, payload["wind"])
        THIS.last = payload["wind"]
        self.publish("/Wind/From", {"from": turned[0], "to": turned[1]})
