# pure
"""Keeps nothing: the search's queue and visited set are local to each event."""
from collections import deque
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

Cell = tuple[int, int]
FLOOR = (
    "..........",
    ".##.##.##.",
    ".##.##.##.",
    "..........",
    ".##.##.##.",
    ".##.##....",
    "..........",
)


class Grid:
    def __init__(self, rows: tuple[str, ...]) -> None:
        self.rows = rows
        self.blocked: set[Cell] = set()

    def block(self, cells: list[str]) -> None:
        for cell in cells:
            x, _, y = cell.partition(",")
            self.blocked.add((int(x), int(y)))

    def free(self, cell: Cell) -> bool:
        x, y = cell
        inside = 0 <= y < len(self.rows) and 0 <= x < len(self.rows[0])
        return inside and self.rows[y][x] == "." and cell not in self.blocked

    def around(self, cell: Cell) -> Iterator[Cell]:
        x, y = cell
        for step in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)):
            if self.free(step):
                yield step

    def path(self, start: Cell, goal: Cell) -> list[Cell]:
        came: dict[Cell, Cell | None] = {start: None}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            if here == goal:
                break
            for cell in self.around(here):
                if cell not in came:
                    came[cell] = here
                    queue.append(cell)
        else:
            return []
        trail, step = [], goal
        while step is not None:
            trail.append(step)
            step = came[step]
        return trail[::-1]


class PickingRoute(GraphBusNode):
    @subscribe("/Warehouse/Route")
    def on_route(self, start: list[int], goal: list[int], closed: list[str]) -> dict[str, object]:
        grid = Grid(FLOOR)
        grid.block(closed)
        trail = grid.path((start[0], start[1]), (goal[0], goal[1]))
        return {"steps": max(len(trail) - 1, 0), "reachable": bool(trail), "trail": [f"{x},{y}" for x, y in trail]}
