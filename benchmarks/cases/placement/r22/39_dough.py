# pure
"""Changes a deep copy of the formula and leaves the table alone."""
from copy import deepcopy

from graphbus_core import GraphBusNode, subscribe

FORMULAS = {
    "baguette": {"percent": {"water": 68.0, "salt": 2.0, "yeast": 0.6}, "steps": ["mix", "fold", "shape"]},
    "rye": {"percent": {"water": 82.0, "salt": 1.9, "starter": 30.0}, "steps": ["mix", "shape"]},
    "brioche": {"percent": {"egg": 55.0, "butter": 50.0, "salt": 2.1, "yeast": 1.4}, "steps": ["mix", "chill", "shape"]},
}


def adapt(formula: dict, room: float) -> dict:
    formula = deepcopy(formula)
    percent = formula["percent"]
    if room > 22 and "yeast" in percent:
        percent["yeast"] *= 0.8
    if room > 22 and "butter" in percent:
        formula["steps"].insert(1, "chill")
    if room < 20:
        formula["steps"].append("long proof")
    return formula


def water_temperature(room: float, friction: float = 4.0) -> float:
    return round(3 * 24.0 - 2 * room - friction, 1)


class DoughSheet(GraphBusNode):
    @subscribe("/Recipe")
    def on_recipe(self, flour: int, formula: str, room: float) -> dict[str, object]:
        recipe = adapt(FORMULAS[formula], room)
        grams = {name: round(flour * p / 100, 1) for name, p in recipe["percent"].items()}
        return {
            "grams": grams,
            "total": round(flour + sum(grams.values()), 1),
            "water_at": water_temperature(room),
            "steps": " > ".join(recipe["steps"]),
        }
