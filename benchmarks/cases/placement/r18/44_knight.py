# pure
"""Keeps nothing: the board is read anew from each position and changed only in that copy."""
from __future__ import annotations

import string

from graphbus_core import GraphBusNode, subscribe

JUMPS = [(dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)]
VALUE = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 100}


class Position:
    def __init__(self, fen: str) -> None:
        rows, self.turn, *_ = fen.split() + ["w"]
        self.squares: dict[tuple[int, int], str] = {}
        for rank, row in zip(range(7, -1, -1), rows.split("/")):
            column = 0
            for ch in row:
                if ch in string.digits:
                    column += int(ch)
                else:
                    self.squares[column, rank] = ch
                    column += 1

    def mine(self, piece: str) -> bool:
        return piece.isupper() == (self.turn == "w")

    def move(self, origin: tuple[int, int], target: tuple[int, int]) -> str:
        taken = self.squares.pop(target, "")
        self.squares[target] = self.squares.pop(origin)
        return taken

    def material(self) -> int:
        return sum(VALUE[p.lower()] * (1 if self.mine(p) else -1) for p in self.squares.values())


def name(square: tuple[int, int]) -> str:
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def knight_moves(fen: str) -> list[tuple[int, str]]:
    start = Position(fen)
    moves = []
    for (x, y), piece in start.squares.items():
        if piece.lower() != "n" or not start.mine(piece):
            continue
        for dx, dy in JUMPS:
            target = (x + dx, y + dy)
            occupant = start.squares.get(target)
            if not (0 <= target[0] < 8 and 0 <= target[1] < 8) or (occupant and start.mine(occupant)):
                continue
            after = Position(fen)
            taken = after.move((x, y), target)
            moves.append((after.material(), f"N{name((x, y))}{'x' if taken else '-'}{name(target)}"))
    return sorted(moves, key=lambda m: (-m[0], m[1]))


class KnightAdvisor(GraphBusNode):
    @subscribe("/Chess/Position")
    def on_position(self, fen: str) -> dict[str, object]:
        moves = knight_moves(fen)
        return {"count": len(moves), "best": moves[0][1] if moves else None, "gain": moves[0][0] if moves else 0}
