# pure
"""Settings are parsed into a new object per event, whatever an earlier event has overridden."""
from configparser import ConfigParser, Error
from graphbus_core import GraphBusNode, subscribe

DEFAULTS = {
    "air": {"low": "10", "high": "28"},
    "soil": {"dry": "20", "wet": "35"},
}


def settings(text):
    ini = ConfigParser()
    ini.read_dict(DEFAULTS)
    if text:
        ini.read_string(text)
    return ini


def compare(value, section, low, high):
    if value < section.getfloat(low):
        return low
    if value > section.getfloat(high):
        return high
    return None


ACTIONS = {"low": "close vents", "high": "open vents", "dry": "water", "wet": "drain"}


class Greenhouse(GraphBusNode):
    @subscribe("/house/reading")
    def on_reading(self, overrides: str, air: float, soil: float) -> dict:
        note = ""
        try:
            ini = settings(overrides)
        except Error as exc:
            note = type(exc).__name__
            ini = settings("")
        states = [
            compare(air, ini["air"], "low", "high"),
            compare(soil, ini["soil"], "dry", "wet"),
        ]
        todo = [ACTIONS[s] for s in states if s]
        if states == ["high", "dry"]:
            todo.append("shade")
        return {"todo": todo, "note": note}
