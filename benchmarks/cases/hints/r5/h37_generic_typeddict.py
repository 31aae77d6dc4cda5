from typing import Generic, NotRequired, TypedDict, TypeVar
from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")
K = TypeVar("K")


class Page(TypedDict, Generic[T]):
    items: list[T]
    next: NotRequired["Page[T]"]


class Both(Page[K], Generic[K, T]):
    head: T
    pair: tuple[K, T]


class User(TypedDict):
    name: str


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Both[User, int]) -> None: ...


GOOD = [
    {"items": [], "head": 1, "pair": [{"name": "n"}, 2]},
    {"items": [{"name": "n"}], "head": 0, "pair": [{"name": "n"}, 2]},
    {"items": [], "next": {"items": [{"name": "m"}]}, "head": 1, "pair": [{"name": "n", "age": 3}, 2]},
]
BAD = [
    {"items": [1], "head": 1, "pair": [{"name": "n"}, 2]},
    {"items": [], "head": {"name": "n"}, "pair": [{"name": "n"}, 2]},
    {"items": [], "head": 1, "pair": [2, {"name": "n"}]},
    {"items": [], "next": {"items": [{"name": None}]}, "head": 1, "pair": [{"name": "n"}, 2]},
    {"items": [{}], "head": 1, "pair": [{"name": "n"}, 2]},
    {"head": 1, "pair": [{"name": "n"}, 2]},
]
