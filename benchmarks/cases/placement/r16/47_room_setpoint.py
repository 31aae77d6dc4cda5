# stateful
"""The descriptor puts the value into itself instead of into the object that it describes."""
from graphbus_core import GraphBusNode, subscribe


class Clamped:
    def __init__(self, low: float, high: float, start: float) -> None:
        self.low, self.high, self.value = low, high, start

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type | None = None):
        return self if instance is None else self.value

    def __set__(self, instance: object, value: float) -> None:
        self.value = min(self.high, max(self.low, value))


class Thermostat:
    target = Clamped(15.0, 24.0, start=20.0)
    hysteresis = Clamped(0.2, 2.0, start=0.5)

    def __init__(self, room: str) -> None:
        self.room = room

    def demand(self, measured: float) -> str:
        if measured < self.target - self.hysteresis:
            return "heat"
        return "cool" if measured > self.target + self.hysteresis else "hold"


class RoomSetpoint(GraphBusNode):
    @subscribe("/Room/Measured")
    def on_measured(self, room: str, measured: float, wish: float | None) -> dict[str, str]:
        thermostat = Thermostat(room)
        if wish is not None:
            thermostat.target = wish
        return {"room": thermostat.room, "action": thermostat.demand(measured)}
