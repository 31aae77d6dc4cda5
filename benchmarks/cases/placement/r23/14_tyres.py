# pure
"""The work list is an attribute of the node, but emptied before each inspection is read."""
from graphbus_core import GraphBusNode, subscribe


class Inspection:
    minimum_mm = 3.0

    def __init__(self) -> None:
        self.findings: list[str] = []

    def reset(self) -> None:
        del self.findings[:]

    def check(self, position: str, depth: float) -> None:
        if depth < self.minimum_mm:
            self.findings.append(f"{position}: {depth:.1f} mm")


class WinterInspection(Inspection):
    minimum_mm = 4.0

    def check(self, position: str, depth: float) -> None:
        super().check(position, depth)
        if position.startswith("front") and depth < self.minimum_mm + 1:
            self.findings.append(f"{position}: watch")


class TyreNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.summer = Inspection()
        self.winter = WinterInspection()

    @subscribe("/Workshop/Tyres")
    def on_measure(self, bus: str, month: int, depths: dict[str, float]) -> dict:
        inspection = self.winter if month in (10, 11, 12, 1, 2, 3) else self.summer
        inspection.reset()
        for position, depth in sorted(depths.items()):
            inspection.check(position, depth)
        return {
            "bus": bus,
            "findings": list(inspection.findings),
            "fit": not any("mm" in finding for finding in inspection.findings),
        }
