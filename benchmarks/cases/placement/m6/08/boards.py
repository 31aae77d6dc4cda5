from __future__ import annotations

from collections import deque
from typing import Iterator, NamedTuple

KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
LETTERS = {1: "aeioulnstr", 2: "dg", 3: "bcmp", 4: "fhvwy", 5: "k", 8: "jx", 10: "qz"}
POINTS = {letter: points for points, group in LETTERS.items() for letter in group}


class Square(NamedTuple):
    file: int
    rank: int

    @classmethod
    def named(cls, name: str) -> Square:
        return cls(ord(name[0]) - ord("a"), int(name[1]) - 1)

    @property
    def name(self) -> str:
        return f"{chr(self.file + ord('a'))}{self.rank + 1}"

    def jumps(self) -> Iterator[Square]:
        for df, dr in KNIGHT:
            to = Square(self.file + df, self.rank + dr)
            if 0 <= to.file < 8 and 0 <= to.rank < 8:
                yield to


def shortest(start: Square, goal: Square) -> list[Square]:
    came: dict[Square, Square | None] = {start: None}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if here == goal:
            break
        for to in here.jumps():
            if to not in came:
                came[to] = here
                queue.append(to)
    path = []
    step: Square | None = goal
    while step is not None:
        path.append(step)
        step = came[step]
    path.reverse()
    return path
