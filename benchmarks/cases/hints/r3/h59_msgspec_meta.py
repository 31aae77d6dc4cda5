"""msgspec constraints, renamed fields, forbidden extras, UNSET."""
from typing import Annotated, Optional, Union

from msgspec import UNSET, Meta, Struct, UnsetType, field

from graphbus_core import GraphBusNode, subscribe

Name = Annotated[str, Meta(min_length=1, max_length=8, pattern="^[a-z]+$")]


class Opts(Struct, rename="camel", forbid_unknown_fields=True):
    max_items: Annotated[int, Meta(gt=0, le=10)]
    user_name: Name = "x"
    legacy_id: int = field(default=0, name="ID")


class Query(Struct, frozen=True, kw_only=True):
    opts: Opts
    limit: Union[int, UnsetType] = UNSET
    cursor: Union[Optional[str], UnsetType] = UNSET
    words: Annotated[list[Name], Meta(max_length=2)] = []


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Query) -> None: ...


GOOD = [
    {"opts": {"maxItems": 1}},
    {"opts": {"maxItems": 10, "userName": "abc", "ID": 4}, "limit": 1, "cursor": None},
    {"opts": {"maxItems": 5}, "cursor": "c", "words": ["a", "b"], "other": 1},
]
BAD = [
    {"opts": {"max_items": 1}},
    {"opts": {"maxItems": 11}},
    {"opts": {"maxItems": 1, "userName": "ABC"}},
    {"opts": {"maxItems": 1, "other": 1}},
    {"opts": {"maxItems": 1}, "limit": None},
    {"opts": {"maxItems": 1}, "words": ["a", "b", "c"]},
]
