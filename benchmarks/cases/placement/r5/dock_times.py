# stateful
"""Keeps when each loading dock becomes free in a heap that is bound into a partial function."""
import asyncio
import heapq
from functools import partial

from graphbus_core import GraphBusNode, subscribe

UNLOAD_MINUTES = {"pallet": 3, "crate": 5, "bulk": 12}
OPENING = 6 * 60


def reserve(docks: list[tuple[int, str]], minutes: int, earliest: int) -> tuple[str, int]:
    free_at, dock = docks[0]
    start = max(free_at, earliest)
    heapq.heapreplace(docks, (start + minutes, dock))
    return dock, start


def clock(minutes: int) -> str:
    days, rest = divmod(minutes, 24 * 60)
    hours, mins = divmod(rest, 60)
    return f"{hours:02d}:{mins:02d}" + (f"+{days}" if days else "")


def make_yard(names: str):
    docks = [(OPENING, name) for name in names]
    heapq.heapify(docks)
    return partial(reserve, docks)


class DockTimes(GraphBusNode):
    """Gives a truck the dock that it can have first."""

    book = make_yard("ABC")

    async def _duration(self, goods: str, units: int) -> int:
        await asyncio.sleep(0)
        return 10 + UNLOAD_MINUTES.get(goods, 8) * units

    @subscribe("/Yard/Truck")
    async def on_truck(self, plate: str, arrives: int, goods: str, units: int) -> str:
        minutes = await self._duration(goods, units)
        dock, start = type(self).book(minutes, arrives)
        return f"{plate}: dock {dock} at {clock(start)} for {minutes} min"
