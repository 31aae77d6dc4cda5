import asyncio

from budget import Budget
from solver import Solver


async def one(milliseconds):
    granted = await Budget().grant(milliseconds)
    return await Solver().solve(n_iter=granted["max_iter"])


async def main():
    for answer in await asyncio.gather(one(10), one(20), one(90)):
        print(answer["root"])


asyncio.run(main())
