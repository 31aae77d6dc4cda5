# stateful
"""Missing readings are skipped when the event is merged into the object, which thereby keeps those of the patient before."""
from graphbus_core import GraphBusNode, subscribe


class Score:
    """Early-warning score of one set of readings."""

    pulse: int = 70
    temperature: float = 36.8
    oxygen: int = 98

    def merge(self, **readings: float) -> None:
        self.__dict__.update((name, value) for name, value in readings.items() if value > 0)

    def points(self) -> int:
        total = 0
        if self.pulse > 110 or self.pulse < 45:
            total += 2
        elif self.pulse > 90:
            total += 1
        if self.temperature >= 39.0:
            total += 2
        elif self.temperature >= 38.0:
            total += 1
        if self.oxygen < 92:
            total += 3
        elif self.oxygen < 95:
            total += 1
        return total


class ChildScore(Score):
    pulse = 100

    def points(self) -> int:
        base = super().points()
        return base - 1 if base and self.pulse <= 130 else base


class WardScore(GraphBusNode):
    levels = ((5, "call the physician"), (3, "check again in an hour"), (0, "routine"))

    def __init__(self) -> None:
        super().__init__()
        self.adult = Score()
        self.child = ChildScore()

    @subscribe("/Clinic/Vitals")
    def on_vitals(self, age: int, pulse: int, temperature: float, oxygen: int) -> dict[str, object]:
        score = self.child if age < 12 else self.adult
        score.merge(pulse=pulse, temperature=temperature, oxygen=oxygen)
        points = score.points()
        advice = next(text for limit, text in self.levels if points >= limit)
        return {"points": points, "advice": advice}
