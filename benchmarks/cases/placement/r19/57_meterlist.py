# stateful
"""The list of known meters is a generator expression, which the first searches use up."""
from collections.abc import Iterator
from itertools import chain, product

from graphbus_core import GraphBusNode, subscribe

DISTRICTS = ("N", "S", "W")
RANGES = {"N": range(100, 104), "S": range(200, 203), "W": range(300, 305)}


def numbers(district: str) -> Iterator[str]:
    for street, flat in product(RANGES[district], "ab"):
        yield f"{district}{street}{flat}"


class MeterCheck(GraphBusNode):
    """Refuses readings of meters that are not ours."""

    def __init__(self) -> None:
        super().__init__()
        special = (f"X{number:03d}" for number in range(1, 4))
        self._known = chain(special, chain.from_iterable(map(numbers, DISTRICTS)))

    def _is_known(self, meter: str) -> bool:
        return meter in self._known

    @subscribe("/Energy/RawReadings")
    def on_reading(self, meter: str, value: float) -> dict[str, object]:
        name = meter.replace("-", "")
        if value < 0:
            return {"meter": name, "accepted": False, "reason": "negative reading"}
        if not self._is_known(name):
            return {"meter": name, "accepted": False, "reason": "unknown meter"}
        return {"meter": name, "accepted": True, "reason": "", "value": round(value, 1)}
