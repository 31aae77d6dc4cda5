# pure
"""Keeps nothing: every event runs an event loop of its own until all of its tasks are done."""
import asyncio
from dataclasses import dataclass
from typing import AsyncIterator, Awaitable, Callable

from graphbus_core import GraphBusNode, subscribe

Check = Callable[[dict[str, int]], Awaitable[str]]
CHECKS: list[Check] = []


def check(function: Check) -> Check:
    CHECKS.append(function)
    return function


@check
async def credit(order: dict[str, int]) -> str:
    await asyncio.sleep(0)
    return "" if order.get("cents", 0) <= 50_000 else "credit limit"


@check
async def weight(order: dict[str, int]) -> str:
    for _ in range(3):
        await asyncio.sleep(0)
    return "" if order.get("grams", 0) < 30_000 else "too heavy"


@check
async def count(order: dict[str, int]) -> str:
    if order.get("pieces", 1) < 1:
        raise ValueError("nothing ordered")
    return ""


@dataclass
class Verdict:
    order: int
    reasons: list[str]


async def verdicts(orders: list[dict[str, int]]) -> AsyncIterator[Verdict]:
    gate = asyncio.Semaphore(2)

    async def one(number: int, order: dict[str, int]) -> Verdict:
        async with gate:
            results = await asyncio.gather(*(test(order) for test in CHECKS), return_exceptions=True)
        return Verdict(number, [str(result) for result in results if str(result)])

    tasks = [asyncio.create_task(one(number, order)) for number, order in enumerate(orders, 1)]
    for task in tasks:
        yield await task


class GatewayFanout(GraphBusNode):
    @subscribe("/Orders/Check")
    def on_orders(self, orders: list[dict[str, int]]) -> dict[str, object]:
        async def run() -> list[Verdict]:
            return [verdict async for verdict in verdicts(orders)]

        found = asyncio.run(run())
        return {
            "passed": [verdict.order for verdict in found if not verdict.reasons],
            "stopped": {str(verdict.order): verdict.reasons for verdict in found if verdict.reasons},
        }
