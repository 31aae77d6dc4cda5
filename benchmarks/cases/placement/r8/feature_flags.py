# pure
"""Keeps only the defaults of the program: each event's text is parsed by its own ConfigParser."""
import configparser
import hashlib
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

DEFAULTS = {"enabled": "no", "share": "0", "teams": ""}


@dataclass(frozen=True)
class Flag:
    enabled: bool
    share: int
    teams: frozenset[str]

    def active_for(self, user: str, team: str) -> bool:
        if not self.enabled:
            return False
        return team in self.teams or bucket(user) < self.share


def bucket(user: str) -> int:
    return int.from_bytes(hashlib.sha1(user.encode()).digest()[:2], "big") % 100


def load(text: str) -> dict[str, Flag]:
    parser = configparser.ConfigParser(defaults=DEFAULTS)
    parser.read_string(text)
    flags = {}
    for name in parser.sections():
        section = parser[name]
        teams = frozenset(filter(None, section["teams"].replace(" ", "").split(",")))
        flags[name] = Flag(section.getboolean("enabled"), section.getint("share"), teams)
    return flags


class FeatureFlags(GraphBusNode):
    @subscribe("/Flags/Evaluate")
    def on_evaluate(self, config: str, user: str, team: str) -> dict[str, object]:
        try:
            flags = load(config)
        except (configparser.Error, ValueError) as exc:
            return {"user": user, "error": type(exc).__name__}
        return {"user": user, "active": [n for n, f in flags.items() if f.active_for(user, team)]}
