import itertools
from enum import Enum, auto

from graphbus_core import GraphBusNode, subscribe

FILES = "abcdefgh"
SQUARES = {f + r: (i, j) for (i, f), (j, r) in itertools.product(enumerate(FILES), enumerate("12345678"))}


class Ruling(Enum):
    LEGAL = auto()
    BLOCKED = auto()
    IMPOSSIBLE = auto()


def straight(dx: int, dy: int) -> bool:
    return (dx == 0) != (dy == 0)


def diagonal(dx: int, dy: int) -> bool:
    return abs(dx) == abs(dy) != 0


SHAPES = {
    "R": straight,
    "B": diagonal,
    "Q": lambda dx, dy: straight(dx, dy) or diagonal(dx, dy),
    "N": lambda dx, dy: sorted((abs(dx), abs(dy))) == [1, 2],
    "K": lambda dx, dy: max(abs(dx), abs(dy)) == 1,
}


def between(a: tuple[int, int], b: tuple[int, int]):
    dx, dy = b[0] - a[0], b[1] - a[1]
    n = max(abs(dx), abs(dy))
    for k in range(1, n):
        yield a[0] + dx // n * k, a[1] + dy // n * k


class MoveJudge(GraphBusNode):
    @subscribe("/Move/Proposed")
    def judge(self, piece: str, start: str, end: str, occupied: list[str]) -> str:
        a, b = SQUARES[start], SQUARES[end]
        if not SHAPES[piece](b[0] - a[0], b[1] - a[1]):
            return Ruling.IMPOSSIBLE.name
        filled = {SQUARES[s] for s in occupied}
        if piece != "N" and any(s in filled for s in between(a, b)):
            return Ruling.BLOCKED.name
        return Ruling.LEGAL.name
