# stateful
"""Keeps which warnings were shown: the interpreter's registry lets each text through only once per place in the code."""
import warnings

from graphbus_core import GraphBusNode, subscribe

GRAMS = {"g": 1.0, "kg": 1000.0, "oz": 28.35, "lb": 453.6, "cup": 120.0, "stick": 113.0}
VAGUE = {"cup", "stick"}
OLD_NAMES = {"pound": "lb", "ounce": "oz", "gramme": "g"}

hints: list[str] = []


def collect(message, category, filename, lineno, file=None, line=None) -> None:
    hints.append(str(message))


warnings.simplefilter("default")
warnings.showwarning = collect


def to_grams(amount: float, unit: str) -> float:
    if unit in OLD_NAMES:
        warnings.warn(f"'{unit}' is written '{OLD_NAMES[unit]}' now", FutureWarning)
        unit = OLD_NAMES[unit]
    if unit in VAGUE:
        warnings.warn(f"a {unit} differs from cook to cook", UserWarning)
    return amount * GRAMS[unit]


class RecipeUnits(GraphBusNode):
    """Turns the amounts of a recipe into grams, with hints for the author."""

    @subscribe("/Recipe/Amount")
    def on_amount(self, ingredient: str, amount: float, unit: str) -> dict[str, object]:
        hints.clear()
        try:
            grams = to_grams(amount, unit)
        except KeyError:
            return {"ingredient": ingredient, "error": f"unit {unit}"}
        return {"ingredient": ingredient, "grams": round(grams, 1), "hints": list(hints)}
