# pure
"""Summarises the weights of hives from the CSV text in the event."""
import csv
import io
import statistics
from collections import defaultdict
from datetime import date

from graphbus_core import GraphBusNode, subscribe

SEASONS = {(3, 4, 5): "build-up", (6, 7): "flow", (8, 9): "treatment", (10, 11, 12, 1, 2): "winter"}
EMPTY_HIVE_KG = {"dadant": 24.0, "zander": 18.5, "langstroth": 20.0}


def season(day: date) -> str:
    return next(name for months, name in SEASONS.items() if day.month in months)


def read(text: str) -> tuple[dict[str, list[tuple[date, float]]], int]:
    hives: dict[str, list[tuple[date, float]]] = defaultdict(list)
    skipped = 0
    reader = csv.DictReader(io.StringIO(text), delimiter=";", skipinitialspace=True)
    for row in reader:
        try:
            reading = date.fromisoformat(row["day"]), float(row["kg"].replace(",", "."))
            hives[row["hive"]].append(reading)
        except (KeyError, ValueError, AttributeError):
            skipped += 1
    for readings in hives.values():
        readings.sort()
    return dict(hives), skipped


def daily_gain(readings: list[tuple[date, float]]) -> float:
    (first, start), (last, end) = readings[0], readings[-1]
    days = (last - first).days
    return (end - start) / days if days else 0.0


class Apiary(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.alarm = {"winter": -0.08, "flow": -0.5, "build-up": -0.2, "treatment": -0.3}

    @subscribe("/Bees/Weights")
    def on_weights(self, hive_type: str, table: str) -> dict[str, object]:
        hives, skipped = read(table)
        empty = EMPTY_HIVE_KG.get(hive_type.lower(), 20.0)
        report = {}
        for name, readings in sorted(hives.items()):
            gain = daily_gain(readings)
            when = season(readings[-1][0])
            report[name] = {
                "stores": round(max(0.0, readings[-1][1] - empty), 1),
                "gain": round(gain, 2),
                "state": "look" if gain < self.alarm[when] else when,
            }
        weights = [kg for readings in hives.values() for _, kg in readings]
        spread = statistics.pstdev(weights) if weights else 0.0
        return {"hives": report, "skipped": skipped, "spread": round(spread, 2)}
