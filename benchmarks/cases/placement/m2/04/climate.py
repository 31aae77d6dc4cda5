import math

from graphbus_core import GraphBusNode, subscribe

from filters import SMOOTHERS


class BarnClimate(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Farm/Climate/Reading")
    def on_reading(self, place: str, celsius: float, humidity: float) -> dict[str, float]:
        smoothed = SMOOTHERS[place].send(celsius) if place in SMOOTHERS else celsius
        a, b = 17.62, 243.12
        gamma = math.log(humidity / 100) + a * smoothed / (b + smoothed)
        return {"temp": smoothed, "dew_point": round(b * gamma / (a - gamma), 2)}
