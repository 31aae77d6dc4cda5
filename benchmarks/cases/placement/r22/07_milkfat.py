# stateful
"""A primed generator holds the blend of the vat."""
from collections.abc import Generator

from graphbus_core import GraphBusNode, subscribe

TARGET = 3.8


def blend() -> Generator[float, tuple[float, float], None]:
    volume = fat = 0.0
    reading = 0.0
    while True:
        litres, percent = yield reading
        volume += litres
        fat += litres * percent / 100
        reading = 100 * fat / volume


def verdict(percent: float) -> str:
    if percent < TARGET - 0.2:
        return "add cream"
    if percent > TARGET + 0.2:
        return "skim"
    return "fill"


class Vat(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        stirring = blend()
        next(stirring)
        self.stir = stirring.send

    @subscribe("/Delivery")
    def on_delivery(self, farm: str, litres: int, fat: float) -> dict[str, str]:
        percent = self.stir((litres, fat))
        return {"farm": farm, "blend": f"{percent:.3f}%", "do": verdict(percent)}
