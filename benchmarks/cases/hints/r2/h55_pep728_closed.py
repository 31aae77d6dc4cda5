"""PEP 728 TypedDicts: one closed=True, one with extra_items=int."""
from typing_extensions import NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Scores(TypedDict, extra_items=int):
    team: str


class Match(TypedDict, closed=True):
    home: Scores
    away: Scores
    referee: NotRequired[str]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Match) -> None:
        self.got = payload


GOOD = [
    {"home": {"team": "A"}, "away": {"team": "B"}},
    {"home": {"team": "A", "q1": 3, "q2": 0}, "away": {"team": "B", "q1": 1}, "referee": "Lo"},
]
BAD = [
    {"home": {"team": "A"}, "away": {"team": "B"}, "stadium": "Old"},
    {"home": {"team": "A", "q1": "three"}, "away": {"team": "B"}},
    {"home": {"q1": 3}, "away": {"team": "B"}},
    {"home": {"team": "A"}},
]
