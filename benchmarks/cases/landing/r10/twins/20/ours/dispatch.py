"""Sending orders out."""


def dispatch(order, stock):
    """Print the labels of an order, one a line, and book what leaves the house."""
    if order.status == "dispatched":
        raise ValueError(f"order {order.number} has left already")
    labels = [f"{quantity} x {sku} from {stock.shelves.get(sku, '?')}"
              for sku, quantity in order.lines.items()]
    for sku, quantity in order.lines.items():
        stock.count_shipped(sku, quantity)
    order.status = "dispatched"
    return labels
