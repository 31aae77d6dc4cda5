# stateful
from graphbus_core import GraphBusNode, subscribe


class TankGauge(GraphBusNode):
    _litres = 0

    @property
    def litres(self):
        return self._litres

    @litres.setter
    def litres(self, value):
        self._litres = min(value, 10)

    @subscribe("/Tank/Filled")
    def on(self, payload):
        self.litres = self.litres + payload["litres"]
        self.publish("/Tank/Level", {"litres": self.litres})
