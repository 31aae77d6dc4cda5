from datetime import date
from typing import Literal, Optional

from attrs import define, field

from graphbus_core import GraphBusNode, subscribe


@define
class Guest:
    name: str
    email: Optional[str] = None


@define
class Reservation:
    id: int
    arrival: date
    nights: int
    board: Literal["none", "half", "full"] = "none"
    guests: list[Guest] = field(factory=list)
    extras: dict[str, float] = field(factory=dict)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Reservation) -> None: ...


GOOD = [
    {"id": 1, "arrival": "2024-07-01", "nights": 3},
    {"id": 1, "arrival": "2024-07-01", "nights": 3, "board": "half", "guests": [{"name": "A"}],
     "extras": {"parking": 12.5, "dog": 5}},
    {"id": 1, "arrival": "2024-07-01", "nights": 3, "guests": [{"name": "A", "email": None},
                                                               {"name": "B", "email": "b@x.org"}],
     "source": "web"},
]
BAD = [
    {"id": 1, "arrival": "2024-07-32", "nights": 3},
    {"id": 1, "arrival": "2024-07-01", "nights": "3"},
    {"id": 1, "arrival": "2024-07-01", "nights": 3, "board": "all"},
    {"id": 1, "arrival": "2024-07-01", "nights": 3, "guests": [{"email": "b@x.org"}]},
    {"id": 1, "arrival": "2024-07-01", "nights": 3, "extras": {"parking": "free"}},
    {"arrival": "2024-07-01", "nights": 3},
]
