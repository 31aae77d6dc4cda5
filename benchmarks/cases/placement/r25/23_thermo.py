# stateful
"""Keeps whether the heater was on as an attribute of the deciding function."""
from graphbus_core import GraphBusNode, subscribe

LOW, HIGH = 18.5, 21.0


def clamp(value, lo, hi):
    return lo if value < lo else hi if value > hi else value


def decide(temp):
    # between the marks do not switch, the relay hates it
    on = getattr(decide, "on", False)
    if temp < LOW:
        on = True
    elif temp > HIGH:
        on = False
    decide.on = on
    return on


def valve(temp, on):
    if not on:
        return 0
    return int(round(clamp((HIGH - temp) / (HIGH - LOW), 0.2, 1.0) * 100))


class Thermostat(GraphBusNode):

    @subscribe("/rooms/temperature")
    def on_temperature(self, celsius: float) -> dict:
        if celsius < -40 or celsius > 80:
            return {"heater": "fault", "valve": 0}
        on = decide(celsius)
        return {"heater": "on" if on else "off", "valve": valve(celsius, on)}
