"""Thermostats, by the kind that the configuration names."""
from graphbus_core import GraphBusNode, schema_method


class Thermostat(GraphBusNode):
    def __init__(self, room=18.0, wish=21.0):
        super().__init__()
        self.room, self.wish = room, wish

    def build(self):
        return {"room": self.room, "setpoint": self.wish}

    @schema_method(input_schema={}, output_schema={"room": float, "setpoint": float})
    def report(self):
        return self.build()


class NightThermostat(Thermostat):
    lower = 1.5

    def build(self):
        result = super().build()
        key = "set" + "point"
        result[key] -= self.lower
        return result


def from_name(kind):
    return globals()[f"{kind}Thermostat"]()
