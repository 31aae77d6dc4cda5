# pure
"""Describes a chess position from its FEN; the board is a dictionary made for this position."""
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

VALUE = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
RAYS = {"r": STRAIGHT, "b": DIAGONAL, "q": STRAIGHT + DIAGONAL}

Square = tuple[int, int]


class Position:
    def __init__(self, fen: str) -> None:
        placement, self.turn, *_ = fen.split() + ["w"]
        self.board: dict[Square, str] = {}
        for rank, row in zip(range(7, -1, -1), placement.split("/")):
            file = 0
            for mark in row:
                if mark.isdigit():
                    file += int(mark)
                else:
                    self.board[file, rank] = mark
                    file += 1

    def pieces(self, white: bool) -> Iterator[tuple[Square, str]]:
        return ((sq, p.lower()) for sq, p in self.board.items() if p.isupper() == white)

    def attacks(self, square: Square, piece: str, white: bool) -> Iterator[Square]:
        x, y = square
        if piece == "p":
            dy = 1 if white else -1
            yield from ((x - 1, y + dy), (x + 1, y + dy))
        elif piece in "nk":
            for dx, dy in KNIGHT if piece == "n" else RAYS["q"]:
                yield x + dx, y + dy
        else:
            for dx, dy in RAYS[piece]:
                cx, cy = x + dx, y + dy
                while 0 <= cx < 8 and 0 <= cy < 8:
                    yield cx, cy
                    if (cx, cy) in self.board:
                        break
                    cx, cy = cx + dx, cy + dy

    def attacked(self, by_white: bool) -> set[Square]:
        return {target for sq, p in self.pieces(by_white) for target in self.attacks(sq, p, by_white)}


def name(square: Square) -> str:
    return "abcdefgh"[square[0]] + str(square[1] + 1)


class PositionReport(GraphBusNode):
    @subscribe("/Chess/Position")
    def on_position(self, fen: str) -> dict[str, object]:
        position = Position(fen)
        material = {white: sum(VALUE[p] for _, p in position.pieces(white)) for white in (True, False)}
        white_moves = position.turn == "w"
        enemy, own = position.attacked(not white_moves), position.attacked(white_moves)
        hanging = sorted(name(sq) for sq, p in position.pieces(white_moves) if p != "k" and sq in enemy - own)
        check = any(p == "k" and sq in enemy for sq, p in position.pieces(white_moves))
        return {"balance": material[True] - material[False], "check": check, "hanging": hanging}
