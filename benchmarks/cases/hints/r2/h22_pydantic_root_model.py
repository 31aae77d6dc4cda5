"""RootModel: the payload itself is a mapping from text to models, and a field is a root list."""
from pydantic import BaseModel, Field, RootModel
from typing import Annotated, Dict

from graphbus_core import GraphBusNode, subscribe


class Tags(RootModel[Annotated[list[str], Field(max_length=3)]]):
    pass


class Stock(BaseModel):
    qty: int = Field(ge=0)
    tags: Tags = Tags([])


class Inventory(RootModel):
    root: Dict[str, Stock]

    def __getitem__(self, item: str) -> Stock:
        return self.root[item]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Inventory) -> None:
        self.got = payload


GOOD = [
    {},
    {"bolt": {"qty": 0}, "nut": {"qty": 4, "tags": ["m6", "steel"]}},
]
BAD = [
    {"bolt": {"qty": -1}},
    {"bolt": 4},
    {"root": {"bolt": {"qty": 1}}},
    {"bolt": {"qty": 1, "tags": {"root": ["m6"]}}},
    {"bolt": {"qty": 1, "tags": ["a", "b", "c", "d"]}},
]
