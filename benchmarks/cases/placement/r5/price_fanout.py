# pure
"""Keeps nothing: queue, workers and results are made and ended within one handler call."""
import asyncio
from contextlib import asynccontextmanager
from typing import AsyncIterator

from graphbus_core import GraphBusNode, subscribe

SHOPS = {
    "north": {"tea": 420, "coffee": 790, "sugar": 140},
    "south": {"tea": 450, "coffee": 720},
    "online": {"tea": 399, "coffee": 760, "sugar": 155, "honey": 610},
}
SHIPPING = {"north": 0, "south": 0, "online": 490}


async def ask(shop: str, article: str) -> int | None:
    await asyncio.sleep(0)
    return SHOPS[shop].get(article)


@asynccontextmanager
async def workers(count: int, queue: asyncio.Queue, found: dict) -> AsyncIterator[None]:
    async def work() -> None:
        while True:
            shop, article = await queue.get()
            found[shop, article] = await ask(shop, article)
            queue.task_done()

    tasks = [asyncio.create_task(work()) for _ in range(count)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class PriceFanout(GraphBusNode):
    """Finds the shop where the whole basket costs least."""

    @subscribe("/Basket/Compare")
    async def on_compare(self, basket: list[str]) -> dict[str, object]:
        queue: asyncio.Queue = asyncio.Queue()
        found: dict[tuple[str, str], int | None] = {}
        for shop in SHOPS:
            for article in basket:
                queue.put_nowait((shop, article))
        async with workers(3, queue, found):
            await queue.join()
        totals = {}
        for shop in SHOPS:
            prices = [found[shop, article] for article in basket]
            if prices and None not in prices:
                totals[shop] = sum(prices) + SHIPPING[shop]
        best = min(totals, key=lambda shop: (totals[shop], shop), default=None)
        return {"best": best, "totals": totals}
