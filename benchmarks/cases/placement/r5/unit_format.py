# pure
"""Keeps the overloads of a generic function, all registered while the module loads."""
from dataclasses import dataclass
from functools import singledispatch, total_ordering

from graphbus_core import GraphBusNode, subscribe


@total_ordering
@dataclass(frozen=True, eq=False)
class Quantity:
    value: float

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self.value == other.value

    def __lt__(self, other: "Quantity") -> bool:
        return self.value < other.value


class Duration(Quantity):
    pass


class Size(Quantity):
    pass


@singledispatch
def show(quantity: Quantity) -> str:
    return f"{quantity.value:g}"


@show.register
def _(quantity: Duration) -> str:
    minutes, seconds = divmod(quantity.value, 60)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours}h{minutes:02d}m" if hours else f"{minutes}m{seconds:04.1f}s"


@show.register
def _(quantity: Size) -> str:
    value = quantity.value
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024:
            break
        value /= 1024
    return f"{value:.1f} {unit}"


KINDS = {"duration": Duration, "size": Size, "count": Quantity}


class UnitFormat(GraphBusNode):
    """Formats single values and ranges of the monitoring."""

    @subscribe("/Show/Value")
    def on_value(self, kind: str, value: float) -> str:
        return show(KINDS.get(kind, Quantity)(value))

    @subscribe("/Show/Range")
    def on_range(self, kind: str, values: list[float]) -> str:
        if not values:
            return "-"
        quantities = sorted(KINDS.get(kind, Quantity)(value) for value in values)
        return f"{show(quantities[0])} .. {show(quantities[-1])}"
