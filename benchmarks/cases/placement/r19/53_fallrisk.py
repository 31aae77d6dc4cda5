# pure
"""The points and reasons stand on the node, but every event sets them to nothing before it counts."""
from graphbus_core import GraphBusNode, subscribe


class Assessment:
    """Common part of the nursing questionnaires."""

    def __init__(self) -> None:
        super().__init__()
        self._points = 0
        self._reasons: list[str] = []

    def begin(self) -> None:
        self._points = 0
        self._reasons.clear()

    def add(self, points: int, reason: str) -> None:
        self._points += points
        self._reasons.append(reason)

    def verdict(self) -> str:
        if self._points >= 45:
            return "high"
        return "moderate" if self._points >= 25 else "low"


class FallRisk(Assessment, GraphBusNode):
    aids = {"none": 0, "crutches": 15, "furniture": 30}

    def walk(self, aid: str, gait: str) -> None:
        if self.aids.get(aid, 0):
            self.add(self.aids[aid], f"walks with {aid}")
        if gait == "weak":
            self.add(10, "weak gait")
        elif gait == "impaired":
            self.add(20, "impaired gait")

    @subscribe("/Clinic/FallRisk")
    def on_questionnaire(self, fell_before: bool, aid: str, gait: str, infusion: bool) -> dict[str, object]:
        self.begin()
        if fell_before:
            self.add(25, "fell within three months")
        self.walk(aid, gait)
        if infusion:
            self.add(20, "infusion")
        return {"points": self._points, "risk": self.verdict(), "reasons": list(self._reasons)}
