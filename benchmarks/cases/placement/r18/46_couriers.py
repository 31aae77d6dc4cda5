# stateful
"""Sorts the module's list of couriers in place; the sort is stable, so equals stand as the last event left them."""
from graphbus_core import GraphBusNode, subscribe

ROSTER = [
    ("Ana", "bike", (2, 3), 12),
    ("Bela", "van", (8, 1), 400),
    ("Chidi", "bike", (5, 5), 15),
    ("Dora", "car", (3, 7), 120),
    ("Emil", "van", (6, 6), 350),
    ("Fay", "bike", (5, 2), 10),
]
SPEED = {"bike": 15, "car": 28, "van": 24}


def distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def minutes(vehicle: str, blocks: int) -> int:
    return round(blocks * 0.4 / SPEED[vehicle] * 60)


def rank(couriers: list, x: int, y: int) -> list:
    couriers.sort(key=lambda c: distance(c[2], (x, y)))
    return couriers


def clock(start: str, wait: int) -> str:
    hour, minute = (int(part) for part in start.split(":"))
    total = hour * 60 + minute + wait
    return f"{total // 60 % 24:02d}:{total % 60:02d}" + (" next day" if total >= 1440 else "")


class Dispatch(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.couriers = ROSTER

    @subscribe("/Parcels/Pickup")
    def on_pickup(self, x: int, y: int, weight: float, ordered: str) -> dict[str, object]:
        for name, vehicle, home, limit in rank(self.couriers, x, y):
            if weight <= limit:
                blocks = distance(home, (x, y))
                return {"courier": name, "vehicle": vehicle, "eta": clock(ordered, minutes(vehicle, blocks))}
        return {"courier": None, "reason": "too heavy"}
