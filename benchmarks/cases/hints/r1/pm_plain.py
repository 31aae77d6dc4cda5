"""A pydantic model with required fields, defaults and a default factory."""

from pydantic import BaseModel, Field

from graphbus_core import GraphBusNode, subscribe


class Signup(BaseModel):
    email: str
    newsletter: bool = False
    roles: list[str] = Field(default_factory=lambda: ["user"])
    referrer: str | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Signup) -> None:
        self.signup = payload


GOOD = [
    {"email": "a@b.example"},
    {"email": "", "newsletter": True, "roles": []},
    {"email": "a@b.example", "referrer": None},
    {"email": "a@b.example", "referrer": "bob", "utm": {"campaign": "x"}},
]
BAD = [
    {},
    {"email": None},
    {"email": "a@b.example", "roles": [None]},
    {"email": "a@b.example", "newsletter": None},
    {"email": "a@b.example", "referrer": {"name": "bob"}},
]
