import calendar
from datetime import date
from graphlib import CycleError, TopologicalSorter

from graphbus_core import GraphBusNode, subscribe

from terms import school_days


class Syllabus(GraphBusNode):
    """Spreads the units of a course over the school days, prerequisites first."""

    def __init__(self):
        super().__init__()
        self.names = calendar.TextCalendar(calendar.MONDAY)

    def _order(self, needs: dict) -> list:
        sorter = TopologicalSorter(needs)
        sorter.prepare()
        order = []
        while sorter.is_active():
            ready = sorted(sorter.get_ready())
            order += ready
            sorter.done(*ready)
        return order

    @subscribe("/School/Course/Planned")
    def plan(self, needs: dict, start: str, end: str, closed: list) -> dict:
        try:
            units = self._order(needs)
        except CycleError as e:
            return {"error": "cycle", "among": sorted(set(e.args[1]))}
        days = school_days(date.fromisoformat(start), date.fromisoformat(end), frozenset(map(date.fromisoformat, closed)))
        share, rest = divmod(len(days), len(units) or 1)
        plan, at = [], 0
        for i, unit in enumerate(units):
            size = share + (i < rest)
            if size:
                first = days[at]
                plan.append([unit, first.isoformat(), self.names.formatweekday(first.weekday(), 3), size])
            at += size
        return {"plan": plan}
