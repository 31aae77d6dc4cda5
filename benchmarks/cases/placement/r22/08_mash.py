# stateful
"""The unit last asked for stays in a context variable."""
from contextvars import ContextVar

from graphbus_core import GraphBusNode, subscribe

UNIT: ContextVar[str] = ContextVar("unit", default="kg")
PER_GRAM = {"kg": 0.001, "lb": 0.00220462, "oz": 0.035274}


def weight(grams: int) -> str:
    unit = UNIT.get()
    return f"{grams * PER_GRAM[unit]:.2f} {unit}"


def strike_water(grams: int, ratio: float = 2.8) -> float:
    return round(grams / 1000 * ratio, 2)


def recipe_line(kettle: str, grams: int) -> str:
    return f"kettle {kettle}: {weight(grams)} malt, {strike_water(grams)} l water"


class Brewhouse(GraphBusNode):
    @subscribe("/Step")
    def on_step(self, kettle: str, grams: int, unit: str) -> dict[str, str]:
        if unit in PER_GRAM:
            UNIT.set(unit)
        return {"line": recipe_line(kettle, grams)}
