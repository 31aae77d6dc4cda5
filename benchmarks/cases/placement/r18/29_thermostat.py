# stateful
"""The descriptor stores the last good value on itself, so every reading object, however fresh, shares it."""
from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe


class Plausible:
    """A number within limits; an implausible one is replaced by the last plausible one."""

    def __init__(self, low: float, high: float, fallback: float) -> None:
        self.low, self.high = low, high
        self.value = fallback

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type | None = None) -> float | "Plausible":
        return self if instance is None else self.value

    def __set__(self, instance: object, value: float) -> None:
        if self.low <= value <= self.high:
            self.value = value


class Reading:
    celsius = Plausible(-10.0, 45.0, 20.0)
    humidity = Plausible(5.0, 98.0, 50.0)

    def __init__(self, celsius: float, humidity: float) -> None:
        self.celsius = celsius
        self.humidity = humidity

    def feels_like(self) -> float:
        return round(self.celsius + 0.05 * (self.humidity - 50), 1)


def heating(reading: Reading, target: float) -> str:
    gap = target - reading.feels_like()
    if gap > 3:
        return "boost"
    return "on" if gap > 0.3 else "off"


class Thermostat(GraphBusNode):
    @subscribe("/House/Room")
    def on_room(self, room: str, celsius: float, humidity: float, target: float) -> dict[str, object]:
        reading = Reading(celsius, humidity)
        return {
            "room": room,
            "feels": reading.feels_like(),
            "valve": heating(reading, target),
        }
