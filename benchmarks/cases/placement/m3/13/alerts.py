from graphbus_core import GraphBusNode, subscribe

_board = {}


def attach(pantry):
    pantry.watchers.append(_board.__setitem__)


class PantryBoard(GraphBusNode):
    @subscribe("/Kitchen/Board")
    def show(self, items: list[str]) -> list[str]:
        return [f"{i}: {_board[i]} g" if i in _board else f"{i}: not seen" for i in items]
