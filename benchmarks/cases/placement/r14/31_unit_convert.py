# pure
"""The table of converters is filled by decorators at import and only read afterwards."""
from collections.abc import Callable
from typing import Final

from graphbus_core import GraphBusNode, subscribe

Converter = Callable[[float], float]
_CONVERTERS: Final[dict[tuple[str, str], Converter]] = {}


def converts(source: str, target: str) -> Callable[[Converter], Converter]:
    def register(function: Converter) -> Converter:
        _CONVERTERS[source, target] = function
        return function

    return register


@converts("c", "f")
def celsius_to_fahrenheit(value: float) -> float:
    return value * 9 / 5 + 32


@converts("f", "c")
def fahrenheit_to_celsius(value: float) -> float:
    return (value - 32) * 5 / 9


@converts("kmh", "ms")
def kmh_to_ms(value: float) -> float:
    return value / 3.6


@converts("bar", "psi")
def bar_to_psi(value: float) -> float:
    return value * 14.503773773


class UnitConverter(GraphBusNode):
    @subscribe("/Reading/Raw")
    def on_event(self, value: float, unit: str, wanted: str) -> dict[str, object]:
        if unit == wanted:
            return {"value": value, "unit": unit}
        converter = _CONVERTERS.get((unit.lower(), wanted.lower()))
        if converter is None:
            known = sorted({target for source, target in _CONVERTERS if source == unit.lower()})
            return {"error": f"cannot turn {unit} into {wanted}", "possible": known}
        return {"value": round(converter(value), 3), "unit": wanted}
