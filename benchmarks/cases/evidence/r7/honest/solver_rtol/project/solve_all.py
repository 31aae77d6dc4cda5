import asyncio

from options import Options
from solver import Solver


async def solve_one(grid):
    options = await Options().load(grid)
    solved = await Solver().solve(tol=options["rtol"])
    return grid, solved["steps"]


async def main():
    for grid, steps in await asyncio.gather(solve_one("coarse"), solve_one("fine")):
        print(grid, steps)


asyncio.run(main())
