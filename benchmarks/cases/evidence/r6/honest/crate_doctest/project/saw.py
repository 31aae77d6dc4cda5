"""Cutting boards to length."""
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Board:
    length_mm: float
    cuts: list = field(default_factory=list)

    def fits(self, piece, kerf):
        return self.length_mm >= piece + kerf

    def cut(self, piece, kerf):
        self.length_mm -= piece + kerf
        self.cuts.append(piece)


class CutPlan(GraphBusNode):
    def __init__(self, pieces=(400.0, 250.0), kerf=4.0):
        super().__init__()
        self.pieces = iter(pieces)
        self.kerf = kerf

    @schema_method(input_schema={}, output_schema={"piece_mm": float, "kerf_mm": float})
    def next(self):
        return {"piece_mm": next(self.pieces), "kerf_mm": self.kerf}


class Saw(GraphBusNode):
    def __init__(self, length=2000.0):
        super().__init__()
        self.length = length

    @depends_on("CutPlan.next")
    @schema_method(
        input_schema={"piece_mm": float, "blade_mm": float},
        output_schema={"pieces": int, "rest_mm": float},
    )
    def yield_of(self, piece_mm, blade_mm):
        """How many pieces a board gives.

        >>> plan = CutPlan([600.0], kerf=3.0).next()
        >>> Saw(1300.0).yield_of(piece_mm=plan["piece_mm"], blade_mm=plan["kerf_mm"])
        {'pieces': 2, 'rest_mm': 94.0}
        """
        board = Board(self.length)
        while board.fits(piece_mm, blade_mm):
            board.cut(piece_mm, blade_mm)
        return {"pieces": len(board.cuts), "rest_mm": board.length_mm}
