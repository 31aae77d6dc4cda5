"""Orders of customers."""
from dataclasses import dataclass, field


@dataclass
class Order:
    number: int
    lines: dict = field(default_factory=dict)
    status: str = "new"


def place(order, stock):
    """Accept an order when everything is there and take it out of stock at once."""
    for sku, quantity in order.lines.items():
        if stock.quantities.get(sku, 0) < quantity:
            raise ValueError(f"not enough {sku}")
    for sku, quantity in order.lines.items():
        stock.take(sku, quantity)
    order.status = "placed"
    return order


def cancel(order, stock):
    """Put the goods of a placed order back."""
    if order.status != "placed":
        raise ValueError(f"order {order.number} is {order.status}")
    for sku, quantity in order.lines.items():
        stock.quantities[sku] += quantity
    order.status = "cancelled"
