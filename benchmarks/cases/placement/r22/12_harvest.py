# stateful
"""The tank a load goes to fills up in a class attribute of a dataclass."""
from dataclasses import dataclass, field
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe

TANK_LITRES = 900
YIELD = 0.68


@dataclass(frozen=True)
class Load:
    plot: str
    kilos: int
    sugar: float
    tanks: ClassVar[dict[str, list["Load"]]] = {"dry": [], "semi": [], "sweet": []}
    tags: tuple[str, ...] = field(default=())

    @property
    def litres(self) -> float:
        return round(self.kilos * YIELD, 1)

    @property
    def style(self) -> str:
        if self.sugar < 20:
            return "dry"
        return "semi" if self.sugar < 23 else "sweet"

    def pour(self) -> float:
        tank = self.tanks[self.style]
        if sum(load.litres for load in tank) + self.litres > TANK_LITRES:
            tank[:] = []
        tank += [self]
        return round(sum(load.litres for load in tank), 1)


class Cellar(GraphBusNode):
    @subscribe("/Load")
    def on_load(self, plot: str, kilos: int, sugar: float) -> dict[str, object]:
        load = Load(plot=plot, kilos=kilos, sugar=sugar)
        level = load.pour()
        return {"tank": load.style, "level": level, "from": load.plot.title()}
