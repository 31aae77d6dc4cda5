# pure
"""Keeps nothing: the board comes with the event, is changed in place for some generations, and goes with the answer."""
from collections import Counter
from itertools import product

from graphbus_core import GraphBusNode, subscribe

AROUND = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]


class Board:
    def __init__(self, rows: list[str]) -> None:
        self.alive = {(y, x) for y, row in enumerate(rows) for x, char in enumerate(row) if char == "#"}
        self.height = len(rows)
        self.width = max(map(len, rows), default=0)
        self.age = 0

    def step(self) -> None:
        near = Counter((y + dy, x + dx) for y, x in self.alive for dy, dx in AROUND)
        born = {cell for cell, count in near.items() if count == 3 and self.inside(cell)}
        stay = {cell for cell in self.alive if near[cell] in (2, 3)}
        self.alive = born | stay
        self.age += 1

    def inside(self, cell: tuple[int, int]) -> bool:
        return 0 <= cell[0] < self.height and 0 <= cell[1] < self.width

    def __str__(self) -> str:
        return "\n".join(
            "".join("#" if (y, x) in self.alive else "." for x in range(self.width)) for y in range(self.height)
        )


class LifeBoard(GraphBusNode):
    """Plays a board on until it repeats or the generations are used up."""

    MOST = 50

    @subscribe("/Life/Board")
    def on_board(self, rows: list[str], generations: int) -> dict[str, object]:
        board = Board(rows)
        seen: dict[frozenset, int] = {}
        while board.age < min(generations, self.MOST):
            first = seen.setdefault(frozenset(board.alive), board.age)
            if first != board.age:
                return {"board": str(board), "age": board.age, "period": board.age - first}
            board.step()
        return {"board": str(board), "age": board.age, "period": None}
