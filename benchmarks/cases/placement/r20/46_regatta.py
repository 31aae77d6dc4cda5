# pure
"""Scores a regatta by the low-point system with discards from all races in the event."""
from dataclasses import dataclass, field
from functools import total_ordering
from itertools import zip_longest

from graphbus_core import GraphBusNode, subscribe

PENALTIES = {"DNS", "DNF", "DSQ", "OCS", "DNE"}
NOT_DISCARDABLE = {"DNE"}
DISCARDS = [(0, 0), (4, 1), (8, 2)]


@total_ordering
@dataclass(eq=False)
class Boat:
    sail: str
    scores: list[tuple[int, str]] = field(default_factory=list)

    def add(self, points: int, code: str = "") -> None:
        self.scores.append((points, code))

    def counted(self, discards: int) -> list[int]:
        may_go = sorted((p for p, code in self.scores if code not in NOT_DISCARDABLE), reverse=True)
        dropped = may_go[:discards]
        rest = [p for p, _ in self.scores]
        for points in dropped:
            rest.remove(points)
        return rest

    def key(self) -> tuple:
        counted = self.counted(discards_for(len(self.scores)))
        return sum(counted), sorted(counted), [p for p, _ in reversed(self.scores)], self.sail

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Boat) and self.key() == other.key()

    def __lt__(self, other: "Boat") -> bool:
        return self.key() < other.key()


def discards_for(races: int) -> int:
    return max(drop for at_least, drop in DISCARDS if races >= at_least)


class RaceOffice(GraphBusNode):
    @subscribe("/Regatta/Results")
    def on_results(self, series: str, entries: list[str], races: list[list[str]]) -> dict[str, object]:
        fleet = {sail: Boat(sail) for sail in entries}
        last = len(fleet) + 1
        for finishers in races:
            place = 0
            scored: set[str] = set()
            for finisher in finishers:
                sail, _, code = finisher.partition(":")
                if sail not in fleet or sail in scored:
                    continue
                scored.add(sail)
                if code in PENALTIES:
                    fleet[sail].add(last, code)
                else:
                    place += 1
                    fleet[sail].add(place)
            for sail in fleet.keys() - scored:
                fleet[sail].add(last, "DNC")
        ranking = sorted(fleet.values())
        lines = [
            f"{rank}. {boat.sail} {boat.key()[0]} ({' '.join(code or str(p) for p, code in boat.scores)})"
            for rank, boat in enumerate(ranking, 1)
        ]
        margins = [b.key()[0] - a.key()[0] for a, b in zip_longest(ranking, ranking[1:], fillvalue=ranking[-1])] if ranking else []
        return {"series": series, "lines": lines, "margins": margins[:-1], "discards": discards_for(len(races))}
