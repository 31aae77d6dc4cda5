from __future__ import annotations

import datetime as dt
import heapq

from graphbus_core import GraphBusNode, subscribe

from rates import NIGHT, runs


class House:
    _only: House | None = None
    rooms: list[int]

    def __new__(cls) -> House:
        if cls._only is None:
            cls._only = super().__new__(cls)
            cls._only.rooms = [101, 102, 201, 202, 301]
            heapq.heapify(cls._only.rooms)
        return cls._only


class CheckIn(GraphBusNode):
    @subscribe("/Guest/CheckIn")
    def check_in(self, guest: str) -> dict:
        house = House()
        room = heapq.heappop(house.rooms) if house.rooms else None
        return {"guest": guest, "room": room}


class CheckOut(GraphBusNode):
    @subscribe("/Guest/CheckOut")
    def check_out(self, room: int) -> str:
        house = House()
        heapq.heappush(house.rooms, room)
        return f"clean {room}"


class StayQuote(GraphBusNode):
    @subscribe("/Stay/Quote")
    def quote(self, arrive: str, leave: str) -> dict:
        try:
            first, last = map(dt.date.fromisoformat, (arrive, leave))
        except ValueError as exc:
            return {"error": type(exc).__name__}
        parts = runs(first, last)
        return {"nights": sum(n for _, n in parts), "euro": str(sum(NIGHT[s] * n for s, n in parts))}
