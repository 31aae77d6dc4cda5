# stateful
"""Looks teams up by [] in a defaultdict, which enters every team that was asked for; broadcasts then reach those as well."""
from collections import defaultdict
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe


def _desk() -> tuple[str, ...]:
    return ("desk@example.org",)


_teams: defaultdict[str, tuple[str, ...]] = defaultdict(_desk, {
    "database": ("dba@example.org", "night@example.org"),
    "network": ("noc@example.org",),
})
TEAMS = MappingProxyType(_teams)
SEVERITIES = ("info", "minor", "major", "critical")


def _recipients(team: str, severity: int) -> tuple[str, ...]:
    everyone = TEAMS[team]
    return everyone if severity >= 2 else everyone[:1]


class AlertRouting(GraphBusNode):
    @subscribe("/Alerts/Raised")
    def on_raised(self, team: str, severity: str, text: str) -> dict:
        level = SEVERITIES.index(severity) if severity in SEVERITIES else 0
        return {"to": list(_recipients(team.lower(), level)), "text": f"[{SEVERITIES[level]}] {text[:60]}"}

    @subscribe("/Alerts/Broadcast")
    def on_broadcast(self, text: str) -> dict:
        to = sorted({address for addresses in TEAMS.values() for address in addresses})
        return {"to": to, "text": f"[all {len(TEAMS)} teams] {text}"}
