# pure
"""Checks register themselves when the module is loaded and never later."""
import re
from collections.abc import Callable

from graphbus_core import GraphBusNode, subscribe

CHECKS: dict[str, Callable[[float], str | None]] = {}


def check(name: str):
    def register(function):
        CHECKS[name] = function
        return function

    return register


@check("tread")
def tread(mm: float) -> str | None:
    return "tyres worn" if mm < 1.6 else None


@check("co")
def exhaust(percent: float) -> str | None:
    return f"CO {percent:.1f}% too high" if percent > 0.3 else None


@check("brake")
def brakes(percent: float) -> str | None:
    return "brakes weak" if percent < 50 else None


def plate_text(plate: str) -> str:
    return re.sub(r"[\s-]+", "", plate).upper()


class Inspection(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.checks = CHECKS

    @subscribe("/Check")
    def on_check(self, plate: str, findings: dict[str, float]) -> dict[str, object]:
        faults = []
        for name, function in self.checks.items():
            if name in findings and (fault := function(findings[name])):
                faults.append(fault)
        return {"plate": plate_text(plate), "faults": faults, "passed": not faults}
