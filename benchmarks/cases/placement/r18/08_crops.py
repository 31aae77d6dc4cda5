# stateful
"""The members of the enum carry a list of past plantings, and the rotation rule reads it."""
from __future__ import annotations

from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Family(Enum):
    LEGUME = ("bean", "pea", "lentil", "clover")
    GRASS = ("wheat", "maize", "barley")
    NIGHTSHADE = ("potato", "tomato", "pepper")
    BRASSICA = ("cabbage", "kale", "rapeseed")

    def __init__(self, *members: str) -> None:
        self.members = members
        self.plots: list[str] = []

    @classmethod
    def of(cls, crop: str) -> "Family | None":
        return next((family for family in cls if crop.lower() in family.members), None)

    def grows_on(self, plot: str) -> None:
        self.plots.append(plot)

    def repeats(self, plot: str) -> int:
        return self.plots.count(plot)


YIELD = {Family.LEGUME: 2.6, Family.GRASS: 7.1, Family.NIGHTSHADE: 38.0, Family.BRASSICA: 29.5}
PENALTY = {1: 1.0, 2: 0.85, 3: 0.6}


def advice(repeats: int) -> str:
    if repeats == 1:
        return "fine"
    return "rotate" if repeats > 2 else "compost first"


class CropPlan(GraphBusNode):
    @subscribe("/Farm/Sowing")
    def on_sowing(self, plot: str, crop: str, hectares: float) -> dict[str, object]:
        family = Family.of(crop)
        if family is None:
            return {"plot": plot, "error": f"unknown crop {crop}"}
        family.grows_on(plot.strip().upper())
        return {"plot": plot, "family": family.name.lower(), "full_yield": round(YIELD[family] * hectares, 1)}

    @subscribe("/Farm/Forecast")
    def on_forecast(self, plot: str, crop: str, hectares: float) -> dict[str, object]:
        family = Family.of(crop)
        if family is None or hectares <= 0:
            return {"plot": plot, "error": f"no forecast for {crop}"}
        repeats = 1 + family.repeats(plot.strip().upper())
        tons = YIELD[family] * hectares * PENALTY.get(repeats, 0.4)
        return {"plot": plot, "tons": round(tons, 1), "advice": advice(repeats)}
