import timetable
from graphbus_core import GraphBusNode, subscribe

LOOSE = timetable.parse_minutes


class StrictSwitch(GraphBusNode):
    """Support asked for a way to find wrong entries in a running system."""

    @subscribe("/Admin/Strict")
    def strict(self, on: bool) -> str:
        timetable.parse_minutes = timetable_strict if on else LOOSE
        return "strict" if on else "loose"


def timetable_strict(text):
    total = LOOSE(text)
    return total if total < 24 * 60 else -1
