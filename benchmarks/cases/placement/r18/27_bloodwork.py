# pure
"""Keeps nothing: the panels are class constants, and each report builds its own findings."""
from __future__ import annotations

from enum import Enum
from typing import ClassVar, NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Range(NamedTuple):
    low: float
    high: float
    unit: str


class Flag(str, Enum):
    LOW = "L"
    NORMAL = ""
    HIGH = "H"
    PANIC = "!!"


class Panel:
    ranges: ClassVar[dict[str, Range]] = {
        "hb": Range(12.0, 17.5, "g/dl"),
        "wbc": Range(4.0, 11.0, "G/l"),
        "k": Range(3.5, 5.1, "mmol/l"),
        "crea": Range(0.5, 1.2, "mg/dl"),
    }
    panic: ClassVar[float] = 0.35

    def flag(self, test: str, value: float) -> Flag:
        low, high, _ = self.ranges[test]
        if value < low * (1 - self.panic) or value > high * (1 + self.panic):
            return Flag.PANIC
        return Flag.LOW if value < low else Flag.HIGH if value > high else Flag.NORMAL


class ChildPanel(Panel):
    ranges = {**Panel.ranges, "hb": Range(10.5, 14.0, "g/dl"), "crea": Range(0.2, 0.7, "mg/dl")}
    panic = 0.25


PANELS = {"adult": Panel(), "child": ChildPanel()}


def egfr(crea: float, age: int, female: bool) -> float:
    kappa, alpha = (0.7, -0.241) if female else (0.9, -0.302)
    ratio = crea / kappa
    value = 142 * min(ratio, 1) ** alpha * max(ratio, 1) ** -1.2 * 0.9938 ** age
    return round(value * (1.012 if female else 1), 1)


class Laboratory(GraphBusNode):
    @subscribe("/Lab/Sample")
    def on_sample(self, patient: str, age: int, female: bool, values: dict[str, float]) -> dict[str, object]:
        panel = PANELS["child" if age < 14 else "adult"]
        lines, urgent = [], []
        for test in sorted(values.keys() & panel.ranges.keys()):
            flag = panel.flag(test, values[test])
            lines.append(f"{test.upper():<5}{values[test]:>8.2f} {panel.ranges[test].unit} {flag.value}".rstrip())
            if flag is Flag.PANIC:
                urgent.append(test)
        report: dict[str, object] = {"patient": patient, "lines": lines, "call_ward": bool(urgent)}
        if age >= 18 and values.get("crea"):
            report["egfr"] = egfr(values["crea"], age, female)
        return report
