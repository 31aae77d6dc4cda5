# stateful
from graphbus_core import GraphBusNode, subscribe


class ValveGuard(GraphBusNode):
    """Tells a change of a valve, and nothing else."""

    @subscribe("/Valve/Set")
    def on(self, payload):
        name = "valve_" + payload["valve"]
        if getattr(self, name, None) != payload["open"]:
            setattr(self, name, payload["open"])
            self.publish("/Valve/Changed", payload)
