# pure
"""Decodes aviation weather reports; the decoders stand in a table filled by a decorator at import."""
import math
import re
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

Decoder = Callable[[re.Match, dict], None]
DECODERS: list[tuple[re.Pattern[str], Decoder]] = []
COVER = {"FEW": 2, "SCT": 4, "BKN": 7, "OVC": 8}
WEATHER = {"RA": "rain", "SN": "snow", "FG": "fog", "BR": "mist", "DZ": "drizzle", "TS": "thunderstorm"}


def group(pattern: str) -> Callable[[Decoder], Decoder]:
    def register(decoder: Decoder) -> Decoder:
        DECODERS.append((re.compile(pattern + "$"), decoder))
        return decoder

    return register


@group(r"(\d{3}|VRB)(\d\d)(?:G(\d\d))?KT")
def wind(match: re.Match, report: dict) -> None:
    report["wind"] = {"from": match[1], "knots": int(match[2]), "gusts": int(match[3] or match[2])}


@group(r"(\d{4})")
def visibility(match: re.Match, report: dict) -> None:
    report["visibility"] = 10000 if match[1] == "9999" else int(match[1])


@group(r"(FEW|SCT|BKN|OVC)(\d{3})(CB|TCU)?")
def cloud(match: re.Match, report: dict) -> None:
    report.setdefault("clouds", []).append((COVER[match[1]], int(match[2]) * 100))


@group(r"(M?\d\d)/(M?\d\d)")
def temperature(match: re.Match, report: dict) -> None:
    report["t"], report["td"] = (int(part.replace("M", "-")) for part in match.groups())


@group(r"([+-]?)((?:RA|SN|FG|BR|DZ|TS)+)")
def weather(match: re.Match, report: dict) -> None:
    codes = re.findall("..", match[2])
    strength = {"+": "heavy ", "-": "light ", "": ""}[match[1]]
    report.setdefault("weather", []).append(strength + " and ".join(WEATHER[c] for c in codes))


def humidity(t: float, td: float) -> int:
    def pressure(c: float) -> float:
        return 6.112 * math.exp(17.62 * c / (243.12 + c))

    return round(100 * pressure(td) / pressure(t))


class Metar(GraphBusNode):
    @subscribe("/Weather/Metar")
    def on_report(self, text: str, runway: int) -> dict[str, object]:
        station, *tokens = text.split()
        report: dict = {"visibility": 10000}
        for token in tokens:
            for pattern, decode in DECODERS:
                if match := pattern.match(token):
                    decode(match, report)
                    break
        ceiling = min((feet for cover, feet in report.get("clouds", ()) if cover > 4), default=None)
        blow = report.get("wind", {"from": "VRB", "knots": 0})
        angle = 0 if blow["from"] == "VRB" else int(blow["from"]) - runway * 10
        return {
            "station": station,
            "visual": report["visibility"] >= 5000 and (ceiling is None or ceiling >= 1500),
            "crosswind": abs(round(blow["knots"] * math.sin(math.radians(angle)))),
            "weather": report.get("weather", []),
            "humidity": humidity(report["t"], report["td"]) if "t" in report else None,
        }
