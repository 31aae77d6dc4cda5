from typing import Literal, NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe

Retry = TypedDict("Retry", {"max": int, "class": Literal["linear", "expo"]})
Meta = TypedDict("Meta", {"x-request-id": str, "x-attempt": int, "retry": "Retry"}, total=False)
Envelope = TypedDict(
    "Envelope",
    {
        "$schema": Literal["job/v1", "job/v2"],
        "from": str,
        "job id": int,
        "meta": NotRequired[Meta],
        "": NotRequired[None],
    },
)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Envelope) -> None: ...


GOOD = [
    {"$schema": "job/v1", "from": "svc", "job id": 1},
    {"$schema": "job/v2", "from": "svc", "job id": 1, "meta": {}},
    {"$schema": "job/v2", "from": "svc", "job id": 1,
     "meta": {"x-attempt": 2, "retry": {"max": 3, "class": "expo"}}, "": None},
]
BAD = [
    {"$schema": "job/v3", "from": "svc", "job id": 1},
    {"$schema": "job/v1", "from": "svc", "job_id": 1},
    {"$schema": "job/v1", "from": "svc", "job id": 1, "meta": {"x-request-id": 7}},
    {"$schema": "job/v1", "from": "svc", "job id": 1, "meta": {"retry": {"max": 3}}},
    {"$schema": "job/v1", "from": "svc", "job id": 1, "": "x"},
    {"from": "svc", "job id": 1},
]
