# stateful
"""One event registers how a type is printed, and the generic function prints so ever after."""
from functools import singledispatch

from graphbus_core import GraphBusNode, subscribe

TYPES = {"whole": int, "fraction": float, "text": str}


@singledispatch
def printed(value: object) -> str:
    return repr(value)


@printed.register
def _(value: str) -> str:
    return value.strip()


def fixed(digits: int, unit: str):
    def show(value: float) -> str:
        return f"{value:.{digits}f} {unit}".rstrip()
    return show


class ReadingFormat(GraphBusNode):
    @subscribe("/Gauge/Announced")
    def on_gauge(self, kind: str, digits: int, unit: str) -> dict[str, bool]:
        known = kind in TYPES
        if known:
            printed.register(TYPES[kind], fixed(digits, unit) if kind != "text" else str.upper)
        return {"accepted": known}

    @subscribe("/Gauge/Reading")
    def on_reading(self, gauge: str, value: float | int | str) -> dict[str, str]:
        return {"gauge": gauge, "display": printed(value)}
