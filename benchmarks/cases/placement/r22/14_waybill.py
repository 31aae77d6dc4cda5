# stateful
"""Numbers parcels with a counter closed over by a factory."""
from collections.abc import Callable

from graphbus_core import GraphBusNode, subscribe

BANDS = [(1.0, "S"), (5.0, "M"), (20.0, "L")]


def band(weight: float) -> str:
    return next((name for limit, name in BANDS if weight <= limit), "XL")


def check_digit(digits: str) -> int:
    total = sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(digits))
    return -total % 10


def numbering(start: int, width: int) -> Callable[[str], str]:
    current = start

    def issue(prefix: str) -> str:
        nonlocal current
        body = str(current).zfill(width)
        current += 1
        return f"{prefix}{body}{check_digit(body)}"

    return issue


class Counter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.label = numbering(1000, 8)

    @subscribe("/Parcel")
    def on_parcel(self, depot: str, weight: float, postcode: str) -> dict[str, str]:
        return {"waybill": self.label(depot + band(weight)), "to": postcode}
