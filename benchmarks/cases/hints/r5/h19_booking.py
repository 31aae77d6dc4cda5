from datetime import date
from typing import Annotated
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from graphbus_core import GraphBusNode, subscribe

Code = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]


class Guest(BaseModel):
    model_config = ConfigDict(extra="ignore")
    name: Annotated[str, Field(min_length=2)]
    age: Annotated[int, Field(ge=0, lt=150)]


class Booking(BaseModel):
    airport: Code
    day: date
    guests: Annotated[list[Guest], Field(min_length=1, max_length=2)]
    step: Annotated[int, Field(multiple_of=5)] = 5


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Booking) -> None: ...


GOOD = [
    {"airport": "FRA", "day": "2024-06-01", "guests": [{"name": "Al", "age": 0}]},
    {"airport": "JFK", "day": "2024-06-01", "guests": [{"name": "Al", "age": 149}, {"name": "Bo", "age": 3, "seat": "1A"}], "step": 10},
    {"airport": "JFK", "day": "2024-06-01", "guests": [{"name": "Al", "age": 30}], "step": 0},
]
BAD = [
    {"airport": "fra", "day": "2024-06-01", "guests": [{"name": "Al", "age": 0}]},
    {"airport": "FRA", "day": "2024-06-01", "guests": []},
    {"airport": "FRA", "day": "2024-06-01", "guests": [{"name": "Al", "age": 150}]},
    {"airport": "FRA", "day": "2024-06-01", "guests": [{"name": "A", "age": 1}]},
    {"airport": "FRA", "day": "2024-06-01", "guests": [{"name": "Al", "age": 1}], "step": 7},
    {"airport": "FRA", "day": "2024-06-01", "guests": [{"name": "Al", "age": 1}, {"name": "Al", "age": 1}, {"name": "Al", "age": 1}]},
]
