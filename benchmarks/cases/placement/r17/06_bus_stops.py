# stateful
"""The cached function hands out the same list each time, and the handler removes closed stops from it."""
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

LINES = {
    "12": "Harbour>Market>Town Hall>Museum>Station>Airport",
    "31": "Station>University>Clinic>Stadium>Lake",
    "N4": "Airport>Station>Market>Old Bridge>Hill Park",
}
MINUTES_PER_STOP = 4


@lru_cache(maxsize=64)
def stops_of(line: str, inbound: bool) -> list[str]:
    stops = [name.strip() for name in LINES.get(line, "").split(">") if name.strip()]
    if inbound:
        stops.reverse()
    return stops


def minutes_between(stops: list[str], origin: str, destination: str) -> int | None:
    try:
        first, last = stops.index(origin), stops.index(destination)
    except ValueError:
        return None
    return (last - first) * MINUTES_PER_STOP if last >= first else None


class JourneyTimes(GraphBusNode):
    @subscribe("/Transit/Journey")
    def on_journey(
        self, line: str, origin: str, destination: str, inbound: bool, closed: list[str]
    ) -> dict[str, object]:
        stops = stops_of(line, inbound)
        for name in closed:
            if name in stops and name not in (origin, destination):
                stops.remove(name)
        minutes = minutes_between(stops, origin, destination)
        return {"line": line, "minutes": minutes, "served": len(stops)}
