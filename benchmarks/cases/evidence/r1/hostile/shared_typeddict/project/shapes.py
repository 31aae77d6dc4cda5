from typing import TypedDict


class Group(TypedDict):
    people: int
    origin: str
