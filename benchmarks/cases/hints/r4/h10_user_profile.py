from dataclasses import dataclass, field
from datetime import date
from typing import Dict, List, Optional, Set

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Geo:
    lat: float
    lng: float


@dataclass
class PostalAddress:
    street: str
    country: str
    geo: Optional[Geo] = None


@dataclass
class Contact:
    emails: List[str]
    addresses: Dict[str, PostalAddress] = field(default_factory=dict)


@dataclass
class UserProfile:
    id: int
    name: str
    contact: Contact
    born: Optional[date] = None
    roles: Set[str] = field(default_factory=set)
    active: bool = True


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: UserProfile) -> None: ...


GOOD = [
    {"id": 1, "name": "Ann", "contact": {"emails": ["a@x.org"]}},
    {"id": 1, "name": "Ann", "contact": {"emails": [], "addresses": {"home": {"street": "S 1", "country": "NO"}}},
     "born": "1990-07-01", "roles": ["admin", "ops"]},
    {"id": 1, "name": "Ann", "contact": {"emails": [], "addresses": {
        "home": {"street": "S 1", "country": "NO", "geo": {"lat": 59.9, "lng": 10.7, "source": "gps"}}}},
     "active": False, "born": None},
]
BAD = [
    {"id": 1, "name": "Ann", "contact": {"emails": "a@x.org"}},
    {"id": 1, "name": "Ann", "contact": {"emails": [], "addresses": {"home": {"street": "S 1"}}}},
    {"id": 1, "name": "Ann", "contact": {"emails": [], "addresses": {
        "home": {"street": "S 1", "country": "NO", "geo": {"lat": 59.9, "lng": "east"}}}}},
    {"id": 1, "name": "Ann", "contact": {"emails": []}, "roles": [1, 2]},
    {"id": 1, "name": "Ann", "contact": {"emails": []}, "active": "yes"},
    {"id": 1, "name": "Ann", "contact": None},
]
