# stateful
"""Its range-checking descriptor keeps the value in itself, so a new record shows the last record's value where none is set."""
from graphbus_core import GraphBusNode, subscribe


class Ranged:
    def __init__(self, low: float, high: float, default: float) -> None:
        self.low, self.high = low, high
        self.value = default

    def __get__(self, instance, owner=None):
        return self if instance is None else self.value

    def __set__(self, instance, value: float) -> None:
        if not self.low <= value <= self.high:
            raise ValueError(f"{value} is outside {self.low}..{self.high}")
        self.value = value


class Record:
    temperature = Ranged(-40, 85, default=20.0)
    humidity = Ranged(0, 100, default=50.0)

    def __init__(self, **fields: float) -> None:
        for name, value in fields.items():
            setattr(self, name, value)

    @property
    def comfort(self) -> float:
        return round(100 - abs(self.temperature - 21) * 3 - abs(self.humidity - 45) * 0.5, 1)


class SensorRecord(GraphBusNode):
    @subscribe("/Room/Reading")
    def on_reading(self, room: str, values: dict[str, float]) -> dict:
        fields = {k: v for k, v in values.items() if k in ("temperature", "humidity")}
        try:
            record = Record(**fields)
        except ValueError as error:
            return {"room": room, "error": str(error)}
        return {"room": room, "comfort": record.comfort, "complete": len(fields) == 2}
