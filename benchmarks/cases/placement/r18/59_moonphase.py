# pure
"""Keeps nothing: all follows from the date and the place in the event."""
from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from math import acos, asin, cos, degrees, pi, radians, sin, tan

from graphbus_core import GraphBusNode, subscribe

SYNODIC = 29.530588853
NEW_MOON = datetime(2000, 1, 6, 18, 14, tzinfo=timezone.utc)
PHASES = ("new", "waxing crescent", "first quarter", "waxing gibbous", "full", "waning gibbous", "last quarter",
          "waning crescent")
SIGNS = [(120, "Capricorn"), (219, "Aquarius"), (321, "Pisces"), (420, "Aries"), (521, "Taurus"), (621, "Gemini"),
         (723, "Cancer"), (823, "Leo"), (923, "Virgo"), (1023, "Libra"), (1122, "Scorpio"), (1222, "Sagittarius"),
         (1232, "Capricorn")]


def moon_age(moment: datetime) -> float:
    return ((moment - NEW_MOON) / timedelta(days=1)) % SYNODIC


def phase(age: float) -> str:
    return PHASES[int(age / SYNODIC * 8 + 0.5) % 8]


def declination(day: date) -> float:
    angle = 2 * pi * (day.timetuple().tm_yday + 10) / 365.25
    return asin(sin(radians(-23.44)) * cos(angle))


def day_length(day: date, latitude: float) -> float:
    tangent = -tan(radians(latitude)) * tan(declination(day))
    return 24 / 180 * degrees(acos(max(-1.0, min(1.0, tangent))))


def next_full(moment: datetime) -> date:
    wait = (SYNODIC / 2 - moon_age(moment)) % SYNODIC
    return (moment + timedelta(days=wait)).date()


class Ephemeris(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.noon = timedelta(hours=12)

    @subscribe("/Sky/Day")
    def on_day(self, day: str, latitude: float) -> dict[str, object]:
        try:
            moment = datetime.fromisoformat(day).replace(tzinfo=timezone.utc) + self.noon
        except ValueError:
            return {"error": f"not a day: {day}"}
        age = moon_age(moment)
        hours = day_length(moment.date(), latitude)
        return {
            "phase": phase(age),
            "lit": round((1 - cos(2 * pi * age / SYNODIC)) / 2 * 100),
            "next_full": next_full(moment).isoformat(),
            "daylight": f"{int(hours)}h{int(hours % 1 * 60):02d}",
            "sign": next(sign for limit, sign in SIGNS if moment.month * 100 + moment.day < limit),
        }
