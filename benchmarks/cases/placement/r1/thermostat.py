# pure
from graphbus_core import GraphBusNode, subscribe


class Thermostat(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.target = 20.5
        self.rooms = {"bath": 23.0, "hall": 17.0}

    def wanted(self, room):
        return self.rooms.get(room, self.target)

    @subscribe("/Room/Temperature")
    def on_temperature(self, payload):
        target = self.wanted(payload["room"])
        state = "on" if payload["celsius"] < target else "off"
        self.publish("/Room/Heating", {"room": payload["room"], "state": state})
