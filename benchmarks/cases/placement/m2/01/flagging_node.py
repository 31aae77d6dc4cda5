from graphbus_core import GraphBusNode, subscribe

from lab.ranges import interval

PANIC = {"K": (2.8, 6.2), "NA": (120.0, 160.0), "GLU": (2.2, 25.0)}


class ResultFlags(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.panic = dict(PANIC)

    def _flag(self, analyte: str, value: float) -> str:
        lo, hi = self.panic.get(analyte, (float("-inf"), float("inf")))
        if value <= lo:
            return "LL"
        if value >= hi:
            return "HH"
        ref = interval(analyte)
        if not ref.unit:
            return "?"
        return "L" if value < ref.low else "H" if value > ref.high else "N"

    @subscribe("/Lab/Result/Measured")
    def on_result(self, order: str, analyte: str, value: float) -> dict[str, str]:
        return {"order": order, "flag": self._flag(analyte.upper(), value)}
