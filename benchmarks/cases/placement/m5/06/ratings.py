from graphbus_core import GraphBusNode, subscribe

from elo import pick


class RatingCalculator(GraphBusNode):
    @subscribe("/Chess/Rate")
    def on_rate(self, own: int, other: int, score: float, age: int) -> int:
        return pick(own, age)(own, other, score)


class Ladder(GraphBusNode):
    def __init__(self):
        super().__init__()
        self._move = self._make_mover(["Tal", "Fine", "Euwe", "Menchik", "Botvinnik"])

    @staticmethod
    def _make_mover(order):
        def move(winner, loser):
            w, l = order.index(winner), order.index(loser)
            if w > l:
                order.insert(l, order.pop(w))
            return order.index(winner) + 1
        return move

    @subscribe("/Chess/Ladder")
    def on_result(self, winner: str, loser: str) -> dict:
        return {"winner": winner, "place": self._move(winner, loser)}
