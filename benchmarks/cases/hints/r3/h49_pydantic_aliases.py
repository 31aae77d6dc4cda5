"""Aliases of each kind, extras forbidden inside."""
from pydantic import AliasChoices, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from graphbus_core import GraphBusNode, subscribe


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel)

    first_name: str
    shoe_size: int = 40


class Outer(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    inner: Inner = Field(alias="theInner")
    key: str = Field(validation_alias=AliasChoices("key", "id"))
    out: int = Field(default=1, serialization_alias="exit")


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Outer) -> None: ...


GOOD = [
    {"theInner": {"firstName": "n"}, "key": "k"},
    {"inner": {"firstName": "n", "shoeSize": 41}, "id": "k"},
    {"theInner": {"firstName": "n"}, "id": "k", "out": 2, "exit": "not an input name"},
]
BAD = [
    {"theInner": {"first_name": "n"}, "key": "k"},
    {"theInner": {"firstName": "n", "extra": 1}, "key": "k"},
    {"theInner": {"firstName": "n"}},
    {"key": "k"},
    {"theInner": {"firstName": "n", "shoeSize": "large"}, "key": "k"},
    {"theInner": {"firstName": "n"}, "key": "k", "out": None},
]
