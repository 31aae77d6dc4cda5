# pure
"""Keeps a cache of a function that depends on its argument alone, which changes no answer."""
import re
from collections import Counter
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

MASS = {"H": 1.008, "C": 12.011, "N": 14.007, "O": 15.999, "Na": 22.990, "S": 32.06, "Cl": 35.45, "Ca": 40.078, "Cu": 63.546}
GROUP = re.compile(r"\(([^()]*)\)(\d*)")
ATOM = re.compile(r"([A-Z][a-z]?)(\d*)")


def flatten(formula: str) -> str:
    while GROUP.search(formula):
        formula = GROUP.sub(lambda match: match[1] * int(match[2] or 1), formula)
    return formula


@lru_cache(maxsize=512)
def atoms(formula: str) -> tuple[tuple[str, int], ...]:
    count: Counter[str] = Counter()
    for part in formula.split("*"):
        factor = re.match(r"\d*", part)[0]
        for symbol, number in ATOM.findall(flatten(part[len(factor):])):
            count[symbol] += int(number or 1) * int(factor or 1)
    return tuple(sorted(count.items()))


class MolarMass(GraphBusNode):
    """Molar mass of a formula such as CuSO4*5H2O, and the grams that a solution needs."""

    @subscribe("/Lab/Formula")
    def on_formula(self, formula: str, millilitres: float, molarity: float) -> dict[str, object]:
        parts = atoms(formula.replace(" ", ""))
        unknown = [symbol for symbol, _ in parts if symbol not in MASS]
        if unknown or not parts:
            return {"formula": formula, "unknown": unknown}
        mass = sum(MASS[symbol] * number for symbol, number in parts)
        return {
            "formula": formula,
            "mass": round(mass, 3),
            "grams": round(mass * molarity * millilitres / 1000, 4),
            "elements": dict(parts),
        }
