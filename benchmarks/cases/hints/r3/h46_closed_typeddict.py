"""PEP 728: a closed TypedDict and one whose extra items have a type."""
from typing_extensions import NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Strict(TypedDict, closed=True):
    a: int
    b: NotRequired[str]


class Scores(TypedDict, extra_items=int):
    name: str


class Event(TypedDict, closed=True):
    strict: Strict
    scores: Scores


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Event) -> None: ...


GOOD = [
    {"strict": {"a": 1}, "scores": {"name": "n"}},
    {"strict": {"a": 1, "b": "b"}, "scores": {"name": "n", "maths": 1, "art": 2}},
    {"strict": {"a": 0, "b": ""}, "scores": {"name": "", "": 0}},
]
BAD = [
    {"strict": {"a": 1, "c": 1}, "scores": {"name": "n"}},
    {"strict": {"a": 1}, "scores": {"name": "n", "maths": "1"}},
    {"strict": {"a": 1}, "scores": {"name": "n"}, "more": None},
    {"strict": {"a": 1}, "scores": {"maths": 1}},
    {"strict": {"a": 1, "b": None}, "scores": {"name": "n"}},
]
