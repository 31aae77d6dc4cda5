from datetime import date
from typing import Literal
from pydantic import BaseModel, Field
from graphbus_core import GraphBusNode, subscribe


class Profile(BaseModel):
    display_name: str = Field(min_length=1, max_length=20)
    birthday: date | None = None


class User(BaseModel):
    id: int = Field(gt=0)
    role: Literal["admin", "member"] = "member"
    profile: Profile
    tags: list[str] = []


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: User) -> None: ...


GOOD = [
    {"id": 1, "profile": {"display_name": "Ann"}},
    {"id": 2, "role": "admin", "profile": {"display_name": "Bob", "birthday": "1990-12-31"}, "tags": ["a"]},
    {"id": 3, "role": "member", "profile": {"display_name": "C", "birthday": None}, "tags": [], "extra": 1},
]
BAD = [
    {"id": 0, "profile": {"display_name": "Ann"}},
    {"id": 1, "profile": {"display_name": ""}},
    {"id": 1, "profile": {"display_name": "Ann", "birthday": "someday"}},
    {"id": 1, "role": "owner", "profile": {"display_name": "Ann"}},
    {"id": 1, "profile": {"display_name": "Ann"}, "tags": "a"},
    {"id": 1},
]
