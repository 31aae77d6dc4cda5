# pure
"""Julian dates and moon phases of the moment given in the event."""
import math
from datetime import datetime, timedelta, timezone
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

SYNODIC = 29.530588853
NEW_MOON_JD = 2451550.1
PHASES = ("new moon", "waxing crescent", "first quarter", "waxing gibbous",
          "full moon", "waning gibbous", "last quarter", "waning crescent")
SITES = {"Kitt Peak": (-111.6, 31.96), "La Palma": (-17.89, 28.76), "Paranal": (-70.4, -24.63)}


@lru_cache(maxsize=None)
def julian_day(year: int, month: int, day: int) -> int:
    """Number of the day that begins at noon."""
    a = (14 - month) // 12
    y = year + 4800 - a
    m = month + 12 * a - 3
    return day + (153 * m + 2) // 5 + 365 * y + y // 4 - y // 100 + y // 400 - 32045


def julian_date(moment: datetime) -> float:
    utc = moment.astimezone(timezone.utc)
    seconds = (utc.hour - 12) * 3600 + utc.minute * 60 + utc.second
    return julian_day(utc.year, utc.month, utc.day) + seconds / 86400


def sidereal_degrees(jd: float, longitude: float) -> float:
    centuries = (jd - 2451545.0) / 36525
    gmst = 280.46061837 + 360.98564736629 * (jd - 2451545.0) + 0.000387933 * centuries ** 2
    return (gmst + longitude) % 360


def as_hours(degrees: float) -> str:
    whole = timedelta(seconds=round(degrees / 15 * 3600))
    return str(whole).rjust(8, "0")


class Almanac(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.width = SYNODIC / len(PHASES)

    def phase(self, age: float) -> str:
        return PHASES[int((age + self.width / 2) / self.width) % len(PHASES)]

    @subscribe("/Observatory/Moment")
    def on_moment(self, moment: str, site: str) -> dict[str, object]:
        when = datetime.fromisoformat(moment)
        if when.tzinfo is None:
            when = when.replace(tzinfo=timezone.utc)
        jd = julian_date(when)
        age = (jd - NEW_MOON_JD) % SYNODIC
        longitude, latitude = SITES.get(site, (0.0, 51.48))
        return {
            "jd": round(jd, 5),
            "moon": self.phase(age),
            "lit": round((1 - math.cos(2 * math.pi * age / SYNODIC)) / 2, 3),
            "lst": as_hours(sidereal_degrees(jd, longitude)),
            "hemisphere": "north" if latitude >= 0 else "south",
        }
