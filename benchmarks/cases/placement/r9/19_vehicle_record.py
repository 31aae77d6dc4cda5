# pure
"""Descriptors keep their values in the instance, and the instance lives for one event."""
from graphbus_core import GraphBusNode, subscribe


class Field:
    def __init__(self, kind: type, low: float | None = None, high: float | None = None) -> None:
        self.kind, self.low, self.high = kind, low, high

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, record: object, owner: type):
        if record is None:
            return self
        return record.__dict__.get(self.name)

    def __set__(self, record: object, value) -> None:
        value = self.kind(value)
        if self.low is not None and value < self.low:
            raise ValueError(f"{self.name} below {self.low}")
        if self.high is not None and value > self.high:
            raise ValueError(f"{self.name} above {self.high}")
        record.__dict__[self.name] = value


class Vehicle:
    plate = Field(str)
    axles = Field(int, 2, 9)
    tons = Field(float, 0.5, 60)
    euro = Field(int, 0, 6)

    def load(self, raw: dict[str, str]) -> list[str]:
        errors = []
        for name, value in raw.items():
            if not isinstance(getattr(type(self), name, None), Field):
                continue
            try:
                setattr(self, name, value)
            except ValueError as problem:
                errors.append(str(problem))
        return errors

    def toll_class(self) -> str:
        heavy = "H" if (self.tons or 0) > 18 else "L"
        return f"{heavy}{self.axles or 2}{'+' if (self.euro or 0) >= 5 else ''}"


class VehicleRecord(GraphBusNode):
    @subscribe("/Vehicle/Registered")
    def on_registered(self, raw: dict[str, str]) -> dict[str, object]:
        vehicle = Vehicle()
        errors = vehicle.load(raw)
        return {"plate": vehicle.plate, "class": vehicle.toll_class(), "errors": errors}
