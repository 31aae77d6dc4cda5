from pydantic import BaseModel, RootModel
from graphbus_core import GraphBusNode, subscribe


class Names(RootModel[list[str]]):
    pass


class Leaf(BaseModel):
    names: Names
    up: "Leaf | None" = None


class Registry(RootModel[dict[str, Leaf]]):
    root: dict[str, Leaf] = {}


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Registry) -> None: ...


GOOD = [
    {},
    {"a": {"names": []}},
    {"a": {"names": ["x"], "up": {"names": ["y"], "up": None}}, "b": {"names": ["z", "w"]}},
]
BAD = [
    {"a": {}},
    {"a": []},
    {"a": {"names": "x"}},
    {"a": {"names": [None]}},
    {"a": {"names": []}, "b": {"names": [], "up": {"names": None}}},
    {"a": {"names": {"root": []}}},
]
