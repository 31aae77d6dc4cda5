"""Discriminated unions: nested by Field, and by a callable."""
from typing import Annotated, Any, Literal, Union

from pydantic import BaseModel, Discriminator, Field, Tag

from graphbus_core import GraphBusNode, subscribe


class Black(BaseModel):
    pet: Literal["cat"]
    colour: Literal["black"]
    luck: int


class White(BaseModel):
    pet: Literal["cat"]
    colour: Literal["white"]
    deaf: bool


class Dog(BaseModel):
    pet: Literal["dog", "puppy"]
    toys: list["Toy"]


def _which(v: Any) -> str:
    if isinstance(v, dict):
        return "ball" if "radius" in v else "stick"
    return type(v).__name__.lower()


class Ball(BaseModel):
    radius: float


class Stick(BaseModel):
    length: float


Toy = Annotated[Union[Annotated[Ball, Tag("ball")], Annotated[Stick, Tag("stick")]], Discriminator(_which)]
Cat = Annotated[Union[Black, White], Field(discriminator="colour")]
Pet = Annotated[Union[Cat, Dog], Field(discriminator="pet")]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Pet) -> None: ...


GOOD = [
    {"pet": "cat", "colour": "black", "luck": -1},
    {"pet": "cat", "colour": "white", "deaf": True},
    {"pet": "dog", "toys": []},
    {"pet": "puppy", "toys": [{"radius": 1.5}, {"length": 2}]},
]
BAD = [
    {"pet": "cat", "colour": "black", "deaf": True},
    {"pet": "cat", "luck": 1},
    {"pet": "cow"},
    {"colour": "black", "luck": 1},
    {"pet": "dog", "toys": [{"weight": 1}]},
    {"pet": "dog", "toys": [{"radius": [1]}]},
]
