# stateful
"""Keeps the last accepted speed in a descriptor, which all the short-lived trains share."""
from typing import Any

from graphbus_core import GraphBusNode, subscribe


class Bounded:
    """An attribute that keeps within its bounds; what does not fit is passed over."""

    def __init__(self, low: int, high: int, value: int) -> None:
        self.low, self.high, self.value = low, high, value

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else self.value

    def __set__(self, instance: Any, value: int) -> None:
        if self.low <= value <= self.high:
            self.value = value


class Train:
    speed = Bounded(0, 160, 80)
    cars = Bounded(1, 14, 6)

    def __init__(self, number: str) -> None:
        self.number = number

    def braking_metres(self) -> int:
        return round(self.speed**2 / 26 + 12 * self.cars)


ASPECTS = ((300, "yellow"), (700, "double yellow"))


class SignalSpeed(GraphBusNode):
    @subscribe("/Rail/Approach")
    def on_approach(self, number: str, speed: int, cars: int) -> dict[str, object]:
        train = Train(number)
        train.speed = speed
        train.cars = cars
        metres = train.braking_metres()
        aspect = next((name for limit, name in ASPECTS if metres <= limit), "red")
        return {"train": train.number, "metres": metres, "aspect": aspect}
