# pure
"""The rules register themselves while the module is imported; an event only reads them."""
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Vitals:
    pulse: int
    systolic: int
    temperature: float
    conscious: bool


Rule = Callable[[Vitals], int]
_RULES: dict[str, Rule] = {}


def rule(name: str) -> Callable[[Rule], Rule]:
    def register(fn: Rule) -> Rule:
        if name in _RULES:
            raise TypeError(f"duplicate rule {name}")
        _RULES[name] = fn
        return fn

    return register


@rule("pulse")
def _pulse(v: Vitals) -> int:
    if v.pulse < 40 or v.pulse > 130:
        return 3
    return 1 if v.pulse < 50 or v.pulse > 110 else 0


@rule("pressure")
def _pressure(v: Vitals) -> int:
    return 3 if v.systolic < 90 else 1 if v.systolic < 100 else 0


@rule("temperature")
def _temperature(v: Vitals) -> int:
    return 2 if v.temperature >= 39.1 or v.temperature <= 35.0 else 0


@rule("awareness")
def _awareness(v: Vitals) -> int:
    return 0 if v.conscious else 3


def findings(v: Vitals) -> Iterator[tuple[str, int]]:
    for name, check in _RULES.items():
        if points := check(v):
            yield name, points


LEVELS = ((7, "red"), (4, "orange"), (1, "yellow"), (0, "green"))


class Triage(GraphBusNode):
    @subscribe("/Reception/Vitals")
    def on_vitals(self, case: str, pulse: int, systolic: int, temperature: float, conscious: bool) -> dict[str, object]:
        scored = dict(findings(Vitals(pulse, systolic, temperature, conscious)))
        total = sum(scored.values())
        level = next(colour for floor, colour in LEVELS if total >= floor)
        return {"case": case, "score": total, "level": level, "because": list(scored)}
