from __future__ import annotations

from collections import Counter

from graphbus_core import GraphBusNode, subscribe

from board import Board


class Arbiter(GraphBusNode):
    """Threefold repetition in a finished game."""

    @subscribe("/club/arbiter")
    def judge(self, moves: list[str]) -> str:
        board, seen = Board(), Counter()
        seen[board.key()] += 1
        for n, uci in enumerate(moves, 1):
            board.move(uci)
            seen[board.key()] += 1
            if seen[board.key()] == 3:
                return f"draw after {n} half-moves"
        return "no draw"
