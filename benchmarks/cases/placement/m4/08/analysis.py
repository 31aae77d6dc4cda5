from graphbus_core import GraphBusNode, subscribe

import book
import engine
from board import BadFen, Board


class Evaluate(GraphBusNode):
    @subscribe("/chess/evaluate")
    def evaluate(self, fen: str, depth: int) -> dict:
        return {"score": engine.search(fen.split()[0], depth)}


class PawnTension(GraphBusNode):
    @subscribe("/chess/tension")
    def tension(self, fen: str) -> dict:
        try:
            board = Board(fen.split()[0])
        except BadFen as err:
            return {"error": str(err)}
        return {side: engine.captures(board, side == "white") for side in ("white", "black")}


class Opening(GraphBusNode):
    @subscribe("/chess/opening")
    def name(self, moves: list[str]) -> dict:
        node, depth = book.walk(moves)
        names = []
        stack = [node]
        while stack:
            top = stack.pop()
            for k, v in top.items():
                if k == "name":
                    names.append(v)
                else:
                    stack.append(v)
        return {"book_moves": depth, "may_become": sorted(names)}
