# pure
"""Keeps nothing: the event loop, its queues and tasks begin and end with each event."""
import asyncio
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

STATIONS = {"grill": ("steak", "fish", "corn"), "cold": ("salad", "oysters"), "sweet": ("cake", "sorbet")}
STATION_OF = {dish: station for station, dishes in STATIONS.items() for dish in dishes}


class Pass:
    """Where the plates are put until the whole table is ready."""

    def __init__(self, expected: int) -> None:
        self._expected = expected
        self._plates: defaultdict[str, list[str]] = defaultdict(list)
        self._ready = asyncio.Event()
        if not expected:
            self._ready.set()

    def put(self, station: str, plate: str) -> None:
        self._plates[station].append(plate)
        self._expected -= 1
        if self._expected <= 0:
            self._ready.set()

    async def all(self) -> dict[str, list[str]]:
        await self._ready.wait()
        return {station: plates for station, plates in sorted(self._plates.items())}


async def cook(station: str, orders: asyncio.Queue[str | None], counter: Pass) -> int:
    done = 0
    while (dish := await orders.get()) is not None:
        await asyncio.sleep(0)
        done += 1
        counter.put(station, f"{dish} {done}")
    return done


async def serve(dishes: list[str]) -> tuple[dict[str, list[str]], list[int]]:
    counter = Pass(len(dishes))
    queues: dict[str, asyncio.Queue[str | None]] = {station: asyncio.Queue() for station in STATIONS}
    async with asyncio.TaskGroup() as group:
        cooks = [group.create_task(cook(station, orders, counter)) for station, orders in queues.items()]
        for dish in dishes:
            await queues[STATION_OF[dish]].put(dish)
        plates = await counter.all()
        for orders in queues.values():
            orders.put_nowait(None)
    return plates, [task.result() for task in cooks]


class KitchenStations(GraphBusNode):
    @subscribe("/Restaurant/Table")
    def on_table(self, table: int, dishes: list[str]) -> dict[str, object]:
        known = [dish for dish in dishes if dish in STATION_OF]
        plates, counts = asyncio.run(serve(known))
        return {"table": table, "plates": plates, "counts": counts, "off": [d for d in dishes if d not in STATION_OF]}
