# stateful
"""Keeps a monkeypatch: a series of counts swaps statistics.median for median_low and nobody swaps it back."""
import statistics

from graphbus_core import GraphBusNode, subscribe

COUNTED = {"colonies", "cells", "eggs"}


def spread(values: list[float]) -> float:
    """Median absolute deviation."""
    middle = statistics.median(values)
    return statistics.median([abs(value - middle) for value in values])


def use_whole_numbers() -> None:
    statistics.median = statistics.median_low


def outliers(values: list[float], limit: float = 3.5) -> list[float]:
    deviation = spread(values)
    if not deviation:
        return []
    middle = statistics.median(values)
    return [value for value in values if 0.6745 * abs(value - middle) / deviation > limit]


class LabSummary(GraphBusNode):
    """Sums up one series of measurements."""

    @subscribe("/Lab/Series")
    def on_series(self, quantity: str, values: list[float]) -> dict[str, object]:
        if len(values) < 2:
            return {"quantity": quantity, "error": "too short"}
        if quantity in COUNTED:
            use_whole_numbers()
        return {
            "quantity": quantity,
            "median": statistics.median(values),
            "mad": spread(values),
            "outliers": outliers(values),
        }
