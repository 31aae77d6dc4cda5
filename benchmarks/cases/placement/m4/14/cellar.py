from graphbus_core import GraphBusNode, subscribe

from measures import Barrel


class BarrelFilling(GraphBusNode):
    @subscribe("/cellar/fill")
    def fill(self, number: int, litres: float) -> dict:
        barrel = Barrel(number)
        level = barrel.top_up(litres)
        return {"barrel": number, "level": level}
