# pure
"""Reads each profile over the defaults with a parser of its own."""
from collections import ChainMap
from configparser import ConfigParser, ExtendedInterpolation

from graphbus_core import GraphBusNode, subscribe

DEFAULTS = {
    "fan": {"speed": "2", "mode": "day"},
    "heat": {"target": "18", "limit": "24"},
    "mist": {"every": "0"},
}
OVERRIDES = {"fern house": {"every": "45"}}


def read(text: str) -> ConfigParser:
    parser = ConfigParser(interpolation=ExtendedInterpolation())
    parser.read_dict(DEFAULTS)
    parser.read_string(text)
    return parser


def merged(parser: ConfigParser, section: str, zone: str) -> ChainMap:
    layers = ChainMap({}, OVERRIDES.get(zone, {}), dict(parser[section]))
    if section == "heat":
        layers["target"] = str(min(int(layers["target"]), int(layers["limit"])))
    return layers


class Conservatory(GraphBusNode):
    @subscribe("/Profile")
    def on_profile(self, text: str, zone: str) -> dict[str, object]:
        parser = read(text)
        commands = []
        for section in parser.sections():
            values = merged(parser, section, zone)
            known = sorted(DEFAULTS[section])
            commands.append(section.upper() + " " + " ".join(f"{k}={values[k]}" for k in known))
        return {"zone": zone.title(), "commands": commands}
