from graphbus_core import GraphBusNode, subscribe

from boards import Square, shortest
from rating import expected


class KnightNode(GraphBusNode):
    @subscribe("/Knight")
    def on_puzzle(self, start: str, goal: str, level: int) -> dict:
        path = shortest(Square.named(start), Square.named(goal))
        moves = len(path) - 1
        difficulty = 1000 + 80 * moves
        return {
            "path": [s.name for s in path],
            "moves": moves,
            "chance": round(expected(level, difficulty), 3),
        }
