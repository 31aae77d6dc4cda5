# stateful
"""One parser reads every profile, and old values stay under the new ones."""
from configparser import ConfigParser

from graphbus_core import GraphBusNode, subscribe

BASE = """
[fan]
speed = 2
mode = day
[heat]
target = 18
limit = 24
"""


def make_parser() -> ConfigParser:
    parser = ConfigParser()
    parser.read_string(BASE)
    return parser


class Greenhouse(GraphBusNode):
    parser = make_parser()

    def commands(self) -> list[str]:
        fan, heat = self.parser["fan"], self.parser["heat"]
        speed = fan.getint("speed") // (2 if fan["mode"] == "night" else 1)
        target = min(heat.getint("target"), heat.getint("limit"))
        return [f"FAN {speed}", f"HEAT {target}", f"LIMIT {heat.getint('limit')}"]

    @subscribe("/Profile")
    def on_profile(self, text: str, zone: str) -> dict[str, object]:
        self.parser.read_string(text)
        return {"zone": zone.title(), "commands": self.commands()}
