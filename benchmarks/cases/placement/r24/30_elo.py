# stateful
"""Ratings sit in a class attribute reached through a mapping with a default, and move with every game."""
from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe

POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2": 0.5}


class Player:
    __slots__ = ("name", "rating", "k")
    _roster: dict[str, "Player"] = {}

    def __new__(cls, name: str) -> "Player":
        try:
            return cls._roster[name]
        except KeyError:
            obj = cls._roster[name] = super().__new__(cls)
            obj.name, obj.rating, obj.k = name, 1500.0, 32
            return obj

    def expects(self, other: "Player") -> float:
        return 1 / (1 + 10 ** ((other.rating - self.rating) / 400))

    def settle(self, score: float, expected: float) -> float:
        change = self.k * (score - expected)
        self.rating += change
        return change


class RatingList(GraphBusNode):
    @subscribe("/club/game")
    def on_game(self, white: str, black: str, result: str) -> dict:
        score = POINTS.get(result)
        if score is None:
            return {"error": f"unknown result {result}"}
        w, b = Player(white), Player(black)
        expected = w.expects(b)
        gain = w.settle(score, expected)
        b.settle(1 - score, 1 - expected)
        return {
            white: round(w.rating, 1),
            black: round(b.rating, 1),
            "gain": round(gain, 1),
            "upset": abs(score - expected) > 0.6,
        }
