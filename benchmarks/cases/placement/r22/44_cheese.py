# pure
"""Dates are counted from the day given in the event."""
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Care(Enum):
    TURN = "turn"
    BRUSH = "brush"
    PIERCE = "pierce"
    WAX = "wax"


@dataclass(frozen=True)
class Style:
    weeks: int
    care: tuple[tuple[Care, int], ...]
    loss: float


STYLES = {
    "tomme": Style(9, ((Care.TURN, 7), (Care.BRUSH, 14)), 0.09),
    "gouda": Style(16, ((Care.TURN, 10), (Care.WAX, 90)), 0.05),
    "blue": Style(7, ((Care.PIERCE, 12), (Care.TURN, 9)), 0.07),
}


def tasks(style: Style, made: date):
    ready = made + timedelta(weeks=style.weeks)
    for care, every in style.care:
        day = made + timedelta(days=every)
        while day < ready:
            yield day, care.value
            day += timedelta(days=every)


class Cave(GraphBusNode):
    @subscribe("/Wheel")
    def on_wheel(self, kind: str, made: str, kilos: float) -> dict[str, object]:
        style = STYLES[kind]
        start = date.fromisoformat(made)
        calendar: dict[str, list[str]] = {}
        for day, work in sorted(tasks(style, start)):
            calendar.setdefault(day.isoformat(), []).append(work)
        weight = kilos * (1 - style.loss)
        return {"calendar": calendar, "ready": str(start + timedelta(weeks=style.weeks)), "kilos": round(weight, 2)}
