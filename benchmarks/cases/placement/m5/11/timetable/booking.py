from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe

from . import rooms


class RoomList(GraphBusNode):
    """The list on the notice board."""

    @subscribe("/Rooms/List")
    def on_list(self, by: str) -> list[str]:
        return [f"{name} ({seats})" for name, seats, _ in rooms.ranked(by)]


class RoomFinder(GraphBusNode):
    @subscribe("/Rooms/Find")
    def on_find(self, seats: int, gear: str) -> str | None:
        return next((name for name, *_ in rooms.candidates(seats, gear)), None)


class RoomCount(GraphBusNode):
    @subscribe("/Rooms/Count")
    def on_count(self, seats: int, gear: str) -> dict[str, int]:
        found = rooms.candidates(seats, gear)
        return {"rooms": len(found), "seats": sum(s for _, s, _ in found)}
