# stateful
"""Tasks that were started but not awaited wait in the event loop until the next event runs it on."""
import asyncio

from graphbus_core import GraphBusNode, subscribe

STEPS = {"soup": 2, "roast": 6, "salad": 1, "cake": 4}


async def cook(dish: str) -> str:
    for _ in range(STEPS.get(dish, 3)):
        await asyncio.sleep(0)
    return dish


async def accept(table: int, dishes: list[str]) -> dict[str, object]:
    busy = len(asyncio.all_tasks()) - 1
    for dish in dishes:
        asyncio.create_task(cook(dish))
    await asyncio.sleep(0)
    return {"table": table, "ahead": busy, "minutes": 5 * busy + 3 * len(dishes)}


class KitchenOrders(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.new_event_loop()

    @subscribe("/Kitchen/Order")
    def on_order(self, table: int, dishes: list[str]) -> dict[str, object]:
        return self._loop.run_until_complete(accept(table, dishes))
