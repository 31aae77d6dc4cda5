# pure
from graphbus_core import GraphBusNode, subscribe


class Discounter(GraphBusNode):
    @subscribe("/Price/Asked")
    def on(self, payload):
        percent = payload["percent"]

        def reduce(cents):
            return cents - cents * percent // 100

        self.publish("/Price/Told", {"cents": reduce(payload["cents"])})
