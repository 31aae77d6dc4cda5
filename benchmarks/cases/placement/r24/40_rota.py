# pure
"""The cached roster is a tuple; whoever changes it works on a list of their own."""
from collections import Counter
from functools import lru_cache
from itertools import cycle, islice

from graphbus_core import GraphBusNode, subscribe

STAFF = """
Ola:red:senior
Pat:red:junior
Kit:red:junior
Sam:blue:senior
Uwe:blue:junior
"""


@lru_cache
def roster(team):
    lines = (line.split(":") for line in STAFF.strip().splitlines())
    return tuple((name, rank) for name, t, rank in lines if t == team)


def available(team, sick):
    people = list(roster(team))
    for person in people[:]:
        if person[0] in sick:
            people.remove(person)
    people.sort(key=lambda p: (p[1] != "senior", p[0]))
    return [name for name, _ in people]


class Rota(GraphBusNode):
    shifts = ("early", "late")

    def _plan(self, names, days):
        turn = cycle(names)
        for day in range(1, days + 1):
            for shift, name in zip(self.shifts, islice(turn, len(self.shifts))):
                yield day, shift, name

    @subscribe("/ward/week")
    def on_week(self, team: str, sick: list[str], days: int) -> dict:
        names = available(team, sick)
        if not names:
            return {"plan": [], "call_agency": True}
        plan = list(self._plan(names, days))
        load = Counter(name for _, _, name in plan)
        return {
            "plan": [f"{d}/{s}: {n}" for d, s, n in plan],
            "load": dict(sorted(load.items())),
            "call_agency": max(load.values()) > 5,
        }
