# pure
"""Gives molar masses of formulas; the cache only spares parsing the same formula twice."""
import re
from collections import Counter
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

MASS = {
    "H": 1.008, "C": 12.011, "N": 14.007, "O": 15.999, "Na": 22.990, "Mg": 24.305, "P": 30.974,
    "S": 32.06, "Cl": 35.45, "K": 39.098, "Ca": 40.078, "Fe": 55.845, "Cu": 63.546,
}
TOKEN = re.compile(r"([A-Z][a-z]?)(\d*)|(\()|(\))(\d*)")


class FormulaError(ValueError):
    pass


@lru_cache(maxsize=256)
def composition(formula: str) -> tuple[tuple[str, int], ...]:
    stack: list[Counter[str]] = [Counter()]
    at = 0
    while at < len(formula):
        match = TOKEN.match(formula, at)
        if match is None:
            raise FormulaError(f"cannot read {formula[at:]!r}")
        element, count, opening, closing, times = match.groups()
        if element:
            if element not in MASS:
                raise FormulaError(f"unknown element {element}")
            stack[-1][element] += int(count or 1)
        elif opening:
            stack.append(Counter())
        elif closing:
            if len(stack) == 1:
                raise FormulaError("too many brackets")
            group = stack.pop()
            for name, number in group.items():
                stack[-1][name] += number * int(times or 1)
        at = match.end()
    if len(stack) != 1:
        raise FormulaError("bracket not closed")
    return tuple(sorted(stack[0].items()))


class MolarMass(GraphBusNode):
    """Answers the scales in the lab: how many grams make so many millimoles."""

    @subscribe("/Lab/Weighing")
    def on_weighing(self, formula: str, millimoles: float) -> dict[str, object]:
        # crystal water is written with a dot: CuSO4.5H2O
        total = 0.0
        try:
            for part in formula.replace(" ", "").split("."):
                head = re.match(r"\d*", part).group()
                parts = composition(part[len(head):])
                total += int(head or 1) * sum(MASS[e] * n for e, n in parts)
        except FormulaError as exc:
            return {"formula": formula, "error": str(exc)}
        return {"formula": formula, "molar_mass": round(total, 3), "grams": round(total * millimoles / 1000, 4)}
