# pure
"""Keeps nothing: the coroutine-style accumulator is started and closed inside the event."""
from statistics import median
from typing import Generator

from graphbus_core import GraphBusNode, subscribe


def averager() -> Generator[float, float, None]:
    total, number = 0.0, 0
    mean = 0.0
    while True:
        value = yield mean
        total += value
        number += 1
        mean = total / number


def trend(values: list[float]) -> str:
    if len(values) < 2 or values[0] == values[-1]:
        return "flat"
    return "up" if values[-1] > values[0] else "down"


class SurveyAverage(GraphBusNode):
    """Condenses the answers of a customer survey."""

    scale = (1, 5)

    @subscribe("/Survey/Done")
    def on_survey(self, question: str, answers: list[int]) -> dict[str, object]:
        low, high = self.scale
        running = averager()
        next(running)
        try:
            means = [running.send(a) for a in answers if low <= a <= high]
        finally:
            running.close()
        if not means:
            return {"question": question, "valid": 0}
        return {
            "question": question,
            "valid": len(means),
            "mean": round(means[-1], 2),
            "median": median(answers),
            "trend": trend(means),
        }
