"""Orders of customers."""
from dataclasses import dataclass, field


@dataclass
class Order:
    number: int
    lines: dict = field(default_factory=dict)
    status: str = "new"


def place(order, stock):
    """Accept an order when everything is there."""
    for sku, quantity in order.lines.items():
        if stock.quantities.get(sku, 0) < quantity:
            raise ValueError(f"not enough {sku}")
    order.status = "placed"
    return order
