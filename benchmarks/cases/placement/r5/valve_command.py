# stateful
"""Keeps the last position of a valve in the descriptor that limits it, not in the command object that is made anew."""
from graphbus_core import GraphBusNode, subscribe


class Limited:
    """A number within bounds that may not move faster than `step`."""

    def __init__(self, low: float, high: float, step: float) -> None:
        self.low, self.high, self.step = low, high, step
        self.value = low

    def __set_name__(self, owner: type, name: str) -> None:
        self.label = name

    def __get__(self, instance: object, owner: type | None = None):
        if instance is None:
            return self
        return self.value

    def __set__(self, instance: object, wanted: float) -> None:
        wanted = min(self.high, max(self.low, wanted))
        move = max(-self.step, min(self.step, wanted - self.value))
        self.value = round(self.value + move, 3)


class Command:
    opening = Limited(0.0, 100.0, 15.0)
    pressure = Limited(1.0, 12.0, 4.0)

    def __init__(self, opening: float, pressure: float) -> None:
        self.opening = opening
        self.pressure = pressure

    def frame(self) -> str:
        return f"V{self.opening:06.2f}P{self.pressure:05.2f}"


class ValveCommand(GraphBusNode):
    """Turns a wish of the operator into the frame that is sent to the valve."""

    @subscribe("/Plant/Valve")
    def on_wish(self, opening: float, pressure: float) -> dict[str, object]:
        command = Command(opening, pressure)
        return {"frame": command.frame(), "reached": command.opening == opening}
