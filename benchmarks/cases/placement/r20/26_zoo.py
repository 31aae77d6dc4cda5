# stateful
"""Feeds animals by their weight; the descriptor keeps its value in itself, so all records share it."""
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

RATION = {"lion": 0.035, "penguin": 0.08, "elephant": 0.04, "otter": 0.2}
FOOD = {"lion": "beef", "penguin": "herring", "elephant": "hay", "otter": "trout"}


class Kilograms:
    """A weight; zero from a broken scale is not taken over."""

    def __init__(self, low: float, high: float) -> None:
        self.low = low
        self.high = high
        self.value = low

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, record: object, owner: type | None = None) -> float:
        return self.value

    def __set__(self, record: object, value: float) -> None:
        if self.low < value <= self.high:
            self.value = float(value)


class Record:
    weight = Kilograms(1.0, 7000.0)

    def __init__(self, animal: str, weight: float) -> None:
        self.animal = animal
        self.weight = weight


@dataclass(frozen=True)
class Bucket:
    food: str
    kilos: float

    def __str__(self) -> str:
        return f"{self.kilos:.1f} kg {self.food}"


def bucket(record: Record, meals: int) -> Bucket:
    share = RATION.get(record.animal, 0.03) * record.weight / max(1, meals)
    return Bucket(FOOD.get(record.animal, "pellets"), round(share, 1))


class Keeper(GraphBusNode):
    @subscribe("/Zoo/Weighing")
    def on_weighing(self, animal: str, weight: float, meals: int) -> dict[str, object]:
        record = Record(animal.lower(), weight)
        return {"animal": record.animal, "bucket": str(bucket(record, meals)), "heavy": record.weight > 200}
