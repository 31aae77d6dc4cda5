import math
import re

from graphbus_core import GraphBusNode, subscribe

from .sensors import HEIGHTS

GROUPS = re.compile(
    r"^(?P<icao>[A-Z]{4}) (?P<day>\d{2})(?P<hhmm>\d{4})Z "
    r"(?P<dir>\d{3}|VRB)(?P<kt>\d{2})(?:G(?P<gust>\d{2}))?KT"
    r"(?: (?P<vis>\d{4}|CAVOK))?(?:.* (?P<t>M?\d{2})/(?P<td>M?\d{2}))?(?: Q(?P<qnh>\d{4}))?"
)

BEAUFORT = [1, 4, 7, 11, 17, 22, 28, 34, 41, 48, 56, 64]


def _signed(group):
    return -int(group[1:]) if group.startswith("M") else int(group)


class MetarReader(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.parsed = {}

    @subscribe("/wx/metar")
    def on_metar(self, text: str) -> dict:
        match = GROUPS.match(text.strip().upper())
        if not match:
            return {"bad": text}
        self.parsed = {k: v for k, v in match.groupdict().items() if v is not None}
        for key in ("t", "td"):
            if key in self.parsed:
                self.parsed[key] = _signed(self.parsed[key])
        self.parsed["bft"] = sum(int(self.parsed["kt"]) >= limit for limit in BEAUFORT)
        return self.parsed


class SeaLevel(GraphBusNode):
    @subscribe("/wx/pressure")
    def reduce(self, station: str, hpa: float, celsius: float) -> float:
        h = HEIGHTS.get(station, 0)
        return round(hpa * math.pow(1 - 0.0065 * h / (celsius + 0.0065 * h + 273.15), -5.257), 1)
