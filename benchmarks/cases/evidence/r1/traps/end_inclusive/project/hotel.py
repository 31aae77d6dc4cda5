from datetime import date
from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Stay(TypedDict):
    room: int
    last_night: date


class Booking(GraphBusNode):
    @schema_method
    def stay(self, room: int) -> Stay:
        return {"room": room, "last_night": date(2026, 5, 31)}


class Cleaning(GraphBusNode):
    @depends_on("Booking.stay")
    @schema_method
    def plan(self, room: int, departure: date) -> dict[str, str]:
        return {"job": f"{departure:%d.%m.} room {room}"}
