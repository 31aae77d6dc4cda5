from typing import Annotated, Generic, Optional, TypeVar, Union
import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field
from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")


class Base(Struct, rename="camel", forbid_unknown_fields=True):
    user_id: int
    full_name: str = field(default="", name="fn")


class Pt(Struct, array_like=True):
    x: float
    y: float
    z: float = 0.0


class Circle(Struct, tag_field="shape", tag="c"):
    at: Pt


class Box(Struct, tag_field="shape", tag="b"):
    corners: tuple[Pt, Pt]


class Wrap(Base, Generic[T]):
    item_list: list[T] = []
    may_be: Union[str, UnsetType] = UNSET
    code: Optional[Annotated[str, Meta(pattern="^[a-z]$")]] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Wrap[Union[Circle, Box]]) -> None: ...


GOOD = [
    {"userId": 1},
    {"userId": 1, "fn": "n", "itemList": [{"shape": "c", "at": [1, 2]}, {"shape": "b", "corners": [[0, 0], [1, 1, 1]]}]},
    {"userId": 1, "mayBe": "x", "code": "q", "itemList": []},
]
BAD = [
    {"user_id": 1},
    {"userId": 1, "other": 1},
    {"userId": 1, "itemList": [{"shape": "t", "at": [1, 2]}]},
    {"userId": 1, "itemList": [{"shape": "c", "at": [1]}]},
    {"userId": 1, "mayBe": None},
    {"userId": 1, "code": "qq"},
]
