import re
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

import settings

GROUPS: list[tuple[re.Pattern, Callable]] = []


def group(pattern: str):
    def register(f):
        GROUPS.append((re.compile(pattern), f))
        return f
    return register


@group(r"(?P<dir>\d{3}|VRB)(?P<kt>\d{2,3})(G(?P<gust>\d{2,3}))?KT")
def wind(m, out):
    out["wind"] = {k: v for k, v in m.groupdict().items() if v}


@group(r"(M?\d{2})/(M?\d{2})")
def temperature(m, out):
    out["temp"], out["dew"] = (int(x.replace("M", "-")) for x in m.groups())


@group(r"Q(\d{4})")
def pressure(m, out):
    out["qnh"] = int(m[1])


@group(r"(FEW|SCT|BKN|OVC)(\d{3})(CB|TCU)?")
def cloud(m, out):
    out.setdefault("clouds", []).append([m[1], int(m[2]) * 100, m[3] or ""])


class MetarReader(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.defaults = settings.fresh()

    @subscribe("/Weather/Metar/Arrived")
    def read(self, report: str, options: dict) -> dict:
        out: dict = {}
        rest = []
        station, *tokens = report.split()
        for token in tokens:
            for pattern, handle in GROUPS:
                if (m := pattern.fullmatch(token)):
                    handle(m, out)
                    break
            else:
                rest.append(token)
        wanted = {**self.defaults["forecast"], **options}
        out["own"] = station.endswith(wanted["station"][1:])
        if wanted["horizon"] != "0":
            out["other"] = rest
        return out
