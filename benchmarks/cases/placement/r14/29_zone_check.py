# stateful
"""Keeps a module-level generator expression that every membership test consumes a little further."""
from graphbus_core import GraphBusNode, subscribe

_REGIONS = ("eu", "us", "ap")
_ZONES_PER_REGION = 3

KNOWN_ZONES = (
    f"{region}-{number}"
    for region in _REGIONS
    for number in range(1, _ZONES_PER_REGION + 1)
)


def is_known(zone: str) -> bool:
    return zone in KNOWN_ZONES


class ZoneCheck(GraphBusNode):
    """Rejects deployments to zones that we do not run."""

    @subscribe("/Deploy/Requested")
    def on_event(self, service: str, zone: str) -> dict[str, object]:
        zone = zone.strip().lower()
        if not is_known(zone):
            return {"service": service, "accepted": False, "reason": f"unknown zone {zone}"}
        return {"service": service, "accepted": True, "reason": ""}
