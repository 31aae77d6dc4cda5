# stateful
import os

from graphbus_core import GraphBusNode, subscribe


class ModeSwitch(GraphBusNode):
    @subscribe("/Mode/Asked")
    def on(self, payload):
        if payload["mode"]:
            os.environ["LAMP_MODE"] = payload["mode"]
        self.publish("/Mode/Set", {"mode": os.environ.get("LAMP_MODE", "day")})
