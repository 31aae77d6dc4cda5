from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Webhook:
    method: Literal["POST", "PUT"]
    path: str
    headers: Mapping[str, str | Sequence[str]]
    body: dict[str, Any]
    signature: bytes
    attempt: int = 1


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Webhook) -> None: ...


GOOD = [
    {"method": "POST", "path": "/h", "headers": {}, "body": {}, "signature": "aGVsbG8="},
    {"method": "PUT", "path": "/h", "headers": {"accept": ["a", "b"], "host": "x"}, "body": {"a": [None, 1]},
     "signature": "aGVsbG8=", "attempt": 3},
    {"method": "PUT", "path": "", "headers": {"accept": []}, "body": {"deep": {"er": {}}},
     "signature": "aGVsbG8="},
]
BAD = [
    {"method": "GET", "path": "/h", "headers": {}, "body": {}, "signature": "aGVsbG8="},
    {"method": "POST", "path": "/h", "headers": {"content-length": 10}, "body": {}, "signature": "aGVsbG8="},
    {"method": "POST", "path": "/h", "headers": {}, "body": [], "signature": "aGVsbG8="},
    {"method": "POST", "path": "/h", "headers": {}, "body": {}, "signature": 12345},
    {"method": "POST", "path": "/h", "headers": {}, "body": {}, "signature": None},
    {"method": "POST", "path": "/h", "headers": {"a": ["b", 1]}, "body": {}, "signature": "aGVsbG8="},
]
