# pure
"""Writes the brew sheet into a buffer that is emptied before each use."""
import io
from math import exp

from graphbus_core import GraphBusNode, subscribe

ALPHA = {"saaz": 0.035, "fuggle": 0.045}
GRAVITY = {"stout": 1.062, "pils": 1.047}


def utilisation(gravity: float, minutes: int) -> float:
    return 1.65 * 0.000125 ** (gravity - 1) * (1 - exp(-0.04 * minutes)) / 4.15


class BrewSheet(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._out = io.StringIO()

    def _start(self) -> None:
        self._out.seek(0)
        self._out.truncate()

    def _line(self, label: str, value: str) -> None:
        self._out.write(f"{label:<10}{value:>8}\n")

    @subscribe("/Brew")
    def on_brew(self, style: str, litres: int, hops: list[str]) -> dict[str, object]:
        self._start()
        gravity = GRAVITY[style]
        self._line("gravity", f"{gravity:.3f}")
        bitterness = 0.0
        for hop in hops:
            name, grams, minutes = hop.split(":")
            ibu = utilisation(gravity, int(minutes)) * ALPHA[name] * int(grams) * 1000 / litres
            bitterness += ibu
            self._line(name, f"{ibu:.1f}")
        self._line("total", f"{bitterness:.1f}")
        return {"style": style, "sheet": self._out.getvalue()}
