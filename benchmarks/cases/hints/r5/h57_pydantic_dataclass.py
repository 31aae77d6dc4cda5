from dataclasses import dataclass as std
from datetime import timedelta
from typing import Annotated, Any, Literal, Optional, Union
from pydantic import ConfigDict, Discriminator, Field, Tag, field_validator
from pydantic.dataclasses import dataclass
from graphbus_core import GraphBusNode, subscribe


@std
class Plain:
    a: int


@dataclass(config=ConfigDict(extra="forbid"))
class Cat:
    meows: int
    sort: Literal["cat"] = "cat"


@dataclass
class Dog:
    barks: Annotated[float, Field(le=5)]
    sort: Literal["dog"] = "dog"


def which(v: Any) -> Optional[str]:
    return v.get("sort") if isinstance(v, dict) else getattr(v, "sort", None)


Pet = Annotated[Union[Annotated[Cat, Tag("cat")], Annotated[Dog, Tag("dog")]], Discriminator(which)]


@dataclass(kw_only=True)
class Home:
    plain: Plain
    pets: list[Pet] = Field(default_factory=list, max_length=2)
    every: timedelta | None = None
    even: int = 0

    @field_validator("even")
    @classmethod
    def _even(cls, v: int) -> int:
        if v % 2:
            raise ValueError("odd")
        return v


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Home) -> None: ...


GOOD = [
    {"plain": {"a": 1}},
    {"plain": {"a": 1}, "pets": [{"sort": "cat", "meows": 1}, {"sort": "dog", "barks": 5}], "every": "PT1H", "even": 4},
    {"plain": {"a": 1}, "pets": [], "every": None, "even": 0},
]
BAD = [
    {"plain": {}},
    {"plain": {"a": 1}, "pets": [{"sort": "cat", "meows": 1, "barks": 1}]},
    {"plain": {"a": 1}, "pets": [{"sort": "dog", "barks": 6}]},
    {"plain": {"a": 1}, "pets": [{"sort": "cow"}]},
    {"plain": {"a": 1}, "even": 3},
    {"plain": {"a": 1}, "every": "hourly"},
]
