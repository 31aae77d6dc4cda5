# stateful
"""Each job's settings are read over those of the jobs before, since the ConfigParser is never emptied."""
import configparser
import math

from graphbus_core import GraphBusNode, subscribe

FACTORY = """
[spindle]
rpm = 800
tool = 6
[feed]
rate = 50
[coolant]
on = no
"""
SURFACE_LIMIT = {"alu": 60.0, "steel": 25.0}


class Settings:
    def __init__(self):
        self.ini = configparser.ConfigParser()
        self.ini.read_string(FACTORY)

    def overlaid(self, text):
        self.ini.read_string(text)
        return self.ini


class MillSetup(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.settings = Settings()

    @subscribe("/mill/job")
    def on_job(self, profile: str, material: str) -> dict:
        try:
            ini = self.settings.overlaid(profile)
        except configparser.Error as exc:
            return {"error": type(exc).__name__}
        rpm = ini.getint("spindle", "rpm")
        tool = ini.getint("spindle", "tool")
        surface = math.pi * tool * rpm / 1000
        return {
            "rpm": rpm,
            "tool": tool,
            "feed": ini.getfloat("feed", "rate"),
            "coolant": ini.getboolean("coolant", "on"),
            "surface": round(surface, 1),
            "too_fast": surface > SURFACE_LIMIT[material],
        }
