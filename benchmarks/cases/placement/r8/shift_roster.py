# stateful
"""Keeps its place in the rota: an itertools.cycle made with the class goes on from event to event."""
from dataclasses import dataclass
from itertools import cycle, islice

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True, order=True)
class Person:
    name: str
    skills: frozenset[str]

    def can(self, skill: str) -> bool:
        return skill in self.skills


TEAM = (
    Person("Ada", frozenset({"db", "net"})),
    Person("Bela", frozenset({"net"})),
    Person("Chen", frozenset({"db", "ui"})),
    Person("Dora", frozenset({"ui"})),
)


def first_able(people: list[Person], skill: str) -> Person | None:
    return next((p for p in people if p.can(skill)), None)


class ShiftRoster(GraphBusNode):
    """Finds somebody for a call."""

    rota = cycle(TEAM)

    def _candidates(self) -> list[Person]:
        return list(islice(self.rota, len(TEAM) - 1))

    @subscribe("/Oncall/Asked")
    def on_asked(self, ticket: int, skill: str) -> dict[str, object]:
        person = first_able(self._candidates(), skill)
        if person is None:
            return {"ticket": ticket, "assigned": None}
        return {"ticket": ticket, "assigned": person.name, "skills": sorted(person.skills)}
