# stateful
"""Keeps rows of earlier reports: the template is copied only one level deep."""
import copy
import json
from typing import Any

from graphbus_core import GraphBusNode, subscribe

TEMPLATE: dict[str, Any] = {
    "version": 2,
    "meta": {"producer": "lab", "notes": []},
    "rows": [],
}
LIMITS = {"ph": (6.5, 8.5), "nitrate": (0.0, 50.0), "lead": (0.0, 0.01)}


def judge(substance: str, value: float) -> str:
    low, high = LIMITS[substance]
    if value < low:
        return "low"
    return "high" if value > high else "ok"


def new_report(sample: str) -> dict[str, Any]:
    report = copy.copy(TEMPLATE)
    report["sample"] = sample
    return report


class ReportTemplate(GraphBusNode):
    @subscribe("/Lab/Measured")
    def on_measured(self, sample: str, values: dict[str, float]) -> str:
        report = new_report(sample)
        for substance in sorted(values):
            if substance not in LIMITS:
                report["meta"]["notes"].append(f"unknown: {substance}")
                continue
            verdict = judge(substance, values[substance])
            report["rows"].append([substance, values[substance], verdict])
        return json.dumps(report, sort_keys=True)
