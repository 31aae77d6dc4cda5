# pure
"""Sizes the pipes of a house from a job sheet; the sheet is parsed with its own parser each time."""
import configparser
import math
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

LITRES_PER_SECOND = {"basin": 0.07, "shower": 0.15, "bath": 0.15, "toilet": 0.13, "sink": 0.07, "washer": 0.15}
INNER_MM = {15: 13.0, 18: 16.0, 22: 20.0, 28: 25.0, 35: 32.0, 42: 39.0}
DEFAULTS = {"velocity": "2.0", "cold_only": "no"}


@dataclass(frozen=True)
class Branch:
    name: str
    flow: float
    velocity: float
    length: float

    @property
    def pipe(self) -> int | None:
        """Smallest outer diameter that stays under the velocity."""
        area = self.flow / 1000 / self.velocity
        need = math.sqrt(4 * area / math.pi) * 1000
        return next((outer for outer, inner in INNER_MM.items() if inner >= need), None)


def simultaneous(total: float) -> float:
    """Not every tap runs at the same time."""
    return total if total <= 0.2 else 1.48 * total ** 0.19 - 0.94


def read_sheet(text: str) -> list[Branch]:
    sheet = configparser.ConfigParser(defaults=DEFAULTS, allow_no_value=True)
    sheet.read_string(text)
    branches = []
    for name in sheet.sections():
        section = sheet[name]
        taps = [tap.strip() for tap in section.get("taps", "").split(",") if tap.strip()]
        total = sum(LITRES_PER_SECOND.get(tap, 0.1) for tap in taps)
        if not section.getboolean("cold_only"):
            total *= 1.1
        branches.append(Branch(name, max(0.05, simultaneous(total)), section.getfloat("velocity"), section.getfloat("length", 5.0)))
    return branches


class PipeSizing(GraphBusNode):
    @subscribe("/Plumber/JobSheet")
    def on_sheet(self, customer: str, sheet: str) -> dict[str, object]:
        try:
            branches = read_sheet(sheet)
        except (configparser.Error, ValueError) as exc:
            return {"customer": customer, "error": type(exc).__name__}
        metres: dict[str, float] = {}
        for branch in branches:
            size = str(branch.pipe or "special")
            metres[size] = metres.get(size, 0) + branch.length
        return {
            "customer": customer,
            "branches": {b.name: f"{b.flow:.2f} l/s -> {b.pipe}" for b in branches},
            "metres": dict(sorted(metres.items())),
        }
