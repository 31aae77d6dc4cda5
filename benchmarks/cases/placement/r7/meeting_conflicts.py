# stateful
"""The list of booked slots is a mutable default argument of the helper, shared by all calls."""
from dataclasses import dataclass
from datetime import datetime, timedelta

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True, order=True)
class Slot:
    start: datetime
    end: datetime
    room: str

    def overlaps(self, other: "Slot") -> bool:
        return self.room == other.room and self.start < other.end and other.start < self.end


def conflicts(slot: Slot, calendar: list[Slot] = []) -> list[Slot]:
    found = [other for other in calendar if other.overlaps(slot)]
    if not found:
        calendar.append(slot)
    return sorted(found)


def parse(start: str, minutes: int, room: str) -> Slot:
    begin = datetime.fromisoformat(start)
    return Slot(begin, begin + timedelta(minutes=max(15, minutes)), room.upper())


class RoomBooking(GraphBusNode):
    @subscribe("/rooms/request")
    def on_request(self, room: str, start: str, minutes: int) -> dict[str, object]:
        slot = parse(start, minutes, room)
        clashes = conflicts(slot)
        return {
            "room": slot.room,
            "until": slot.end.isoformat(timespec="minutes"),
            "accepted": not clashes,
            "clashes": [c.start.isoformat(timespec="minutes") for c in clashes],
        }
