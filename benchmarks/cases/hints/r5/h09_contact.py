from typing import TypedDict
from graphbus_core import GraphBusNode, subscribe


class Address(TypedDict, total=False):
    street: str
    city: str
    zip: str


class Contact(TypedDict):
    name: str
    home: Address
    work: Address | None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Contact) -> None: ...


GOOD = [
    {"name": "n", "home": {}, "work": None},
    {"name": "n", "home": {"street": "s", "city": "c", "zip": "1"}, "work": {"city": "c"}},
    {"name": "n", "home": {"country": "x"}, "work": {}},
]
BAD = [
    {"name": "n", "home": {}},
    {"name": "n", "home": None, "work": None},
    {"name": "n", "home": {"zip": 12345}, "work": None},
    {"name": "n", "home": {"city": None}, "work": None},
    {"name": "n", "home": {}, "work": {"street": ["s"]}},
]
