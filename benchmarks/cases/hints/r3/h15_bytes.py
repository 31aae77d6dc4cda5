"""bytes sub-fields: a JSON text and nothing else."""
from dataclasses import dataclass, field
from typing import Union

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True, slots=True)
class Blob:
    data: bytes
    parts: list[bytes] = field(default_factory=list)
    either: Union[bytes, int] = 0


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Blob) -> None: ...


GOOD = [
    {"data": "aGVsbG8="},
    {"data": "", "parts": ["AAAA", "aGk="]},
    {"data": "aGVsbG8=", "either": 5},
    {"data": "aGVsbG8=", "either": "AAAA"},
]
BAD = [
    {"data": 12},
    {"data": None},
    {"data": {"base64": "aGVsbG8="}},
    {"data": "aGVsbG8=", "parts": "aGVsbG8="},
    {"data": "aGVsbG8=", "parts": [True]},
    {"data": "aGVsbG8=", "either": 1.5},
]
