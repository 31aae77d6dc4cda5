from typing import Generic, Literal, Optional, TypeVar
from pydantic import BaseModel, PositiveInt, StrictBool, conlist, constr
from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")
E = TypeVar("E", bound=BaseModel)


class Error(BaseModel):
    code: Literal[400, 404]


class Result(BaseModel, Generic[T, E]):
    data: Optional[T]
    errors: conlist(E, max_length=1) = []
    nested: "Result[T, E] | None" = None


class Row(BaseModel):
    n: PositiveInt
    tag: constr(to_lower=False, min_length=1)
    live: StrictBool = True


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Result[Row, Error]) -> None: ...


GOOD = [
    {"data": None},
    {"data": {"n": 1, "tag": "t"}, "errors": [{"code": 404}]},
    {"data": None, "nested": {"data": {"n": 2, "tag": "u", "live": False}, "errors": []}},
]
BAD = [
    {"errors": []},
    {"data": {"n": 0, "tag": "t"}},
    {"data": {"n": 1, "tag": ""}},
    {"data": None, "errors": [{"code": 500}]},
    {"data": None, "errors": [{"code": 404}, {"code": 404}]},
    {"data": None, "nested": {"data": [{"n": 2, "tag": "u"}]}},
]
