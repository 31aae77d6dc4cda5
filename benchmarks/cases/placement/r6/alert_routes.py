# stateful
"""The copy of the template is shallow: the lists inside it are the template's own, and extra people stay in them."""
import copy

from graphbus_core import GraphBusNode, subscribe

TEMPLATES = {
    "disk": {"severity": 2, "to": {"mail": ["ops"], "sms": []}},
    "fire": {"severity": 5, "to": {"mail": ["ops", "house"], "sms": ["house"]}},
    "login": {"severity": 1, "to": {"mail": ["security"], "sms": []}},
}


def alert_for(kind: str) -> dict:
    return copy.copy(TEMPLATES.get(kind, TEMPLATES["disk"]))


class AlertRoutes(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/alert/raise")
    def on_raise(self, kind: str, host: str, owner: str, critical: bool) -> dict[str, object]:
        alert = alert_for(kind)
        alert["host"] = host
        if critical:
            alert["severity"] += 2
        if alert["severity"] >= 4 and owner:
            for channel in ("mail", "sms"):
                people = alert["to"][channel]
                if owner not in people:
                    people.append(owner)
        return {
            "host": alert["host"],
            "severity": alert["severity"],
            "mail": sorted(alert["to"]["mail"]),
            "sms": sorted(alert["to"]["sms"]),
        }
