# stateful
"""Deliveries are tasks that outlive run_until_complete and wait in the node's event loop for the next event."""
import asyncio

from graphbus_core import GraphBusNode, subscribe

STEPS = {"bike": 2, "van": 5, "night": 9}


async def deliver(courier: str, parcels: int) -> int:
    done = 0
    for _ in range(STEPS.get(courier, 3) * max(parcels, 1)):
        await asyncio.sleep(0)
        done += 1
    return done


async def accept(courier: str, parcels: int) -> dict[str, object]:
    asyncio.get_running_loop().create_task(deliver(courier, parcels))
    await asyncio.sleep(0)
    under_way = len(asyncio.all_tasks()) - 1
    return {
        "courier": courier,
        "accepted": parcels,
        "wait": "short" if under_way < 2 else "normal" if under_way < 4 else "long",
        "under_way": under_way,
    }


class CourierCalls(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.new_event_loop()

    @subscribe("/Courier/Call")
    def on_call(self, courier: str, parcels: int) -> dict[str, object]:
        if parcels < 0:
            return {"courier": courier, "error": "negative"}
        return self._loop.run_until_complete(accept(courier, parcels))
