from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import ClassVar, Optional, Self

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Line:
    sku: str
    qty: int
    total: float = field(init=False, default=0.0)
    unit_price: InitVar[float] = 0.0
    registry: ClassVar[dict[str, int]] = {}

    def __post_init__(self, unit_price: float) -> None:
        self.total = self.qty * unit_price


@dataclass
class Basket:
    owner: str
    lines: list[Line]
    _: KW_ONLY
    merged: Optional[list[Self]] = None
    currency: InitVar["Optional[str]"] = None

    def __post_init__(self, currency: Optional[str]) -> None:
        pass


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Basket) -> None: ...


GOOD = [
    {"owner": "a", "lines": []},
    {"owner": "a", "lines": [{"sku": "x", "qty": 1}], "currency": "EUR"},
    {"owner": "a", "lines": [{"sku": "x", "qty": 1, "unit_price": 9}],
     "merged": [{"owner": "b", "lines": [], "merged": None, "currency": None}]},
]
BAD = [
    {"owner": "a"},
    {"owner": "a", "lines": [{"sku": "x"}]},
    {"owner": "a", "lines": [{"sku": "x", "qty": 1, "unit_price": "9"}]},
    {"owner": "a", "lines": [], "currency": 5},
    {"owner": "a", "lines": [], "merged": [{"owner": "b"}]},
    {"owner": "a", "lines": [], "merged": {"owner": "b", "lines": []}},
]
