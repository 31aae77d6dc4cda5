# stateful
"""Keeps the highest level so far in a variable of the function around the one that is called."""
from collections.abc import Callable
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Alarm(Enum):
    NONE = 0
    WATCH = 1
    FLOOD = 2


def make_judge(watch: int, flood: int) -> Callable[[int], tuple[Alarm, int]]:
    rise = 0
    mark = watch

    def judge(level: int) -> tuple[Alarm, int]:
        nonlocal rise, mark
        if level > mark:
            rise, mark = level - mark, level
        else:
            rise = 0
        if level >= flood:
            return Alarm.FLOOD, rise
        return (Alarm.WATCH if level >= watch else Alarm.NONE), rise

    return judge


JUDGES = {"harbour": make_judge(480, 560), "lock": make_judge(300, 390), "pier": make_judge(450, 610)}


class TideAlarm(GraphBusNode):
    @subscribe("/Coast/Level")
    def on_level(self, gauge: str, level: int) -> dict[str, object]:
        judge = JUDGES.get(gauge, JUDGES["pier"])
        alarm, rise = judge(level)
        return {"gauge": gauge, "alarm": alarm.name.lower(), "rise": rise}
