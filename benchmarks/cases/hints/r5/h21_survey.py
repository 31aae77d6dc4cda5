from dataclasses import dataclass
from typing import Optional, Union
from graphbus_core import GraphBusNode, subscribe

Answer = Union[int, str, list[str], None]


@dataclass
class Section:
    title: str
    answers: dict[str, Answer]


@dataclass
class Survey:
    id: Union[int, str]
    sections: list[Section]
    score: Optional[Union[int, float]] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Survey) -> None: ...


GOOD = [
    {"id": 1, "sections": []},
    {"id": "s1", "sections": [{"title": "t", "answers": {"a": 1, "b": "x", "c": ["y"], "d": None, "e": []}}], "score": 2.5},
    {"id": 1, "sections": [{"title": "t", "answers": {}}], "score": 4},
]
BAD = [
    {"id": None, "sections": []},
    {"id": 1, "sections": [{"title": "t", "answers": {"a": {"b": 1}}}]},
    {"id": 1, "sections": [{"title": "t", "answers": {"a": ["y", 1]}}]},
    {"id": 1, "sections": [{"title": "t", "answers": {"a": 1.5}}]},
    {"id": 1, "sections": [], "score": "high"},
    {"id": [1], "sections": []},
]
