# stateful
"""Keeps each room's state as the class of the object that stands for it."""
from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe


class Free:
    label = "free"

    def __init__(self, number: int) -> None:
        self.number = number

    def arrive(self) -> str:
        self.__class__ = Taken
        return f"key to {self.number}"

    def leave(self) -> str:
        return "nobody there"


class Taken(Free):
    label = "taken"

    def arrive(self) -> str:
        return "sorry, taken"

    def leave(self) -> str:
        self.__class__ = ToClean
        return "goodbye"


class ToClean(Free):
    label = "to clean"

    def arrive(self) -> str:
        self.__class__ = Free
        return "please wait a moment"


FLOOR = tuple(Free(number) for number in range(101, 105))


class RoomBoard(GraphBusNode):
    @staticmethod
    def _room(number: int) -> Free:
        return FLOOR[number % len(FLOOR)]

    @subscribe("/Hotel/Arrival")
    def on_arrival(self, number: int) -> dict[str, str]:
        room = self._room(number)
        return {"said": room.arrive(), "label": type(room).label}

    @subscribe("/Hotel/Departure")
    def on_departure(self, number: int) -> dict[str, str]:
        room = self._room(number)
        return {"said": room.leave(), "label": type(room).label}
