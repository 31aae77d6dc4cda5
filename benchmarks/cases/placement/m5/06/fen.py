import re

from graphbus_core import GraphBusNode, subscribe

VALUES = dict(zip("pnbrqk", (1, 3, 3, 5, 9, 0)))
ROW = re.compile(r"^[pnbrqkPNBRQK1-8]{1,8}$")


class Board:
    def __init__(self):
        self.squares = []
        self.balance = 0

    def feed(self, row):
        if not ROW.match(row):
            raise ValueError(f"bad row {row!r}")
        for ch in row:
            if ch.isdigit():
                self.squares += "." * int(ch)
            else:
                self.squares.append(ch)
                self.balance += VALUES[ch.lower()] * (1 if ch.isupper() else -1)
        return self


class MaterialCounter(GraphBusNode):
    @subscribe("/Chess/Material")
    def on_fen(self, fen: str) -> dict:
        board = Board()
        try:
            for row in fen.split()[0].split("/"):
                board.feed(row)
        except ValueError as err:
            return {"error": str(err)}
        return {"balance": board.balance, "men": sum(c != "." for c in board.squares)}
