"""A pydantic generic model with a parameter that is itself a union, and a partly bound child."""
from typing import Generic, TypeVar

from pydantic import BaseModel

from graphbus_core import GraphBusNode, subscribe

DataT = TypeVar("DataT")
ErrT = TypeVar("ErrT")


class Result(BaseModel, Generic[DataT, ErrT]):
    data: DataT | None = None
    errors: list[ErrT] = []


class Problem(BaseModel):
    code: int
    detail: str


class ApiResult(Result[DataT, Problem], Generic[DataT]):
    trace: str


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: ApiResult[dict[str, int] | list[str]]) -> None:
        self.got = payload


GOOD = [
    {"trace": "t"},
    {"trace": "t", "data": {"a": 1}},
    {"trace": "t", "data": ["a"], "errors": [{"code": 404, "detail": "no"}]},
]
BAD = [
    {"data": {"a": 1}},
    {"trace": "t", "data": {"a": "x"}},
    {"trace": "t", "data": [1, 2]},
    {"trace": "t", "errors": ["boom"]},
    {"trace": "t", "data": "a"},
]
