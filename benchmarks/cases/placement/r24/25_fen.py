# pure
"""Every position is unpacked into a fresh board; nothing outlives the handler."""
from collections import Counter
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

VALUES = dict(p=1, n=3, b=3, r=5, q=9, k=0)


class BadFen(ValueError):
    pass


class Board:
    def __init__(self, placement: str):
        self.rows = [list(self._expand(row)) for row in placement.split("/")]
        if len(self.rows) != 8 or any(len(r) != 8 for r in self.rows):
            raise BadFen(f"not an 8x8 board: {placement}")

    @staticmethod
    def _expand(row: str) -> Iterator[str]:
        for ch in row:
            if ch.isdigit():
                yield from "." * int(ch)
            else:
                yield ch

    def pieces(self) -> Counter:
        return Counter(p for row in self.rows for p in row if p != ".")

    def bishops_on_both_colours(self, who: str) -> bool:
        shades = set()
        for r, row in enumerate(self.rows):
            for c, p in enumerate(row):
                if p == who:
                    shades.add((r + c) & 1)
        return len(shades) == 2


class Material(GraphBusNode):
    @subscribe("/chess/position")
    def on_position(self, fen: str) -> dict:
        placement, _, rest = fen.partition(" ")
        try:
            board = Board(placement)
        except BadFen as exc:
            return {"error": str(exc)}
        counts = board.pieces()
        balance = 0
        for piece, n in counts.items():
            worth = VALUES[piece.lower()] * n
            balance += worth if piece.isupper() else -worth
        return {
            "balance": balance,
            "to_move": "white" if rest.startswith("w") else "black",
            "bishop_pair": [who for who in "Bb" if board.bishops_on_both_colours(who)],
            "endgame": sum(counts.values()) <= 8,
        }
