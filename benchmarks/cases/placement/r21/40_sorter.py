# stateful
"""Keeps the value of a descriptor on the descriptor itself: a chute that is not given stays as last set."""
from graphbus_core import GraphBusNode, subscribe


class Bounded:
    def __init__(self, low: int, high: int, start: int) -> None:
        self.low, self.high, self.value = low, high, start

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type | None = None) -> int:
        return self.value

    def __set__(self, instance: object, value: int) -> None:
        self.value = min(max(value, self.low), self.high)


class Job:
    speed = Bounded(20, 180, 90)

    def __init__(self, parcel: str, fields: dict[str, int]) -> None:
        self.parcel = parcel
        for name, value in fields.items():
            setattr(self, name, value)

    def describe(self) -> dict[str, str | int]:
        return {"parcel": self.parcel, "speed": self.speed}


class SortJob(Job):
    chute = Bounded(1, 48, 1)

    def describe(self) -> dict[str, str | int]:
        return {**super().describe(), "chute": self.chute}


class Sorter(GraphBusNode):
    @subscribe("/Sorter/Job")
    def on_job(self, parcel: str, chute: int, speed: int) -> dict[str, str | int]:
        given = {"chute": chute, "speed": speed}
        job = SortJob(parcel, {name: value for name, value in given.items() if value > 0})
        return job.describe()
