# pure
"""A board is a value: every move makes a new one, and the position comes with the event."""
from __future__ import annotations

from dataclasses import dataclass, replace

from graphbus_core import GraphBusNode, subscribe

WIDTH, HEIGHT = 7, 6
DIRECTIONS = (1, HEIGHT + 1, HEIGHT, HEIGHT + 2)


@dataclass(frozen=True, slots=True)
class Bits:
    value: int = 0

    def __or__(self, other: Bits) -> Bits:
        return Bits(self.value | other.value)

    def __and__(self, other: Bits) -> Bits:
        return Bits(self.value & other.value)

    def __rshift__(self, by: int) -> Bits:
        return Bits(self.value >> by)

    def __bool__(self) -> bool:
        return self.value != 0

    def __len__(self) -> int:
        return self.value.bit_count()

    @classmethod
    def at(cls, column: int, row: int) -> Bits:
        return cls(1 << (column * (HEIGHT + 1) + row))


@dataclass(frozen=True, slots=True)
class Board:
    mine: Bits = Bits()
    theirs: Bits = Bits()

    def play(self, column: int) -> Board | None:
        taken = self.mine | self.theirs
        for row in range(HEIGHT):
            spot = Bits.at(column, row)
            if not taken & spot:
                return replace(self, mine=self.theirs, theirs=self.mine | spot)
        return None

    @property
    def lost(self) -> bool:
        """True when the side that moved last has four in a row."""
        for step in DIRECTIONS:
            pairs = self.theirs & (self.theirs >> step)
            if pairs & (pairs >> 2 * step):
                return True
        return False


class FourInARow(GraphBusNode):
    @subscribe("/Game/Position")
    def on_position(self, game: str, moves: list[int]) -> dict[str, object]:
        board = Board()
        for number, column in enumerate(moves, 1):
            after = board.play(column % WIDTH)
            if after is None:
                return {"game": game, "state": "illegal", "move": number}
            board = after
            if board.lost:
                return {"game": game, "state": "won", "by": "yellow" if number % 2 else "red", "move": number}
        threats = [c for c in range(WIDTH) if (b := board.play(c)) is not None and b.lost]
        return {"game": game, "state": "open", "stones": len(board.mine | board.theirs), "threats": threats}
