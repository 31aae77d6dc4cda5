"""Sending orders out."""


def dispatch(order, stock):
    """Print the labels of an order, one a line, and mark it as dispatched."""
    labels = [f"{quantity} x {sku} from {stock.shelves.get(sku, '?')}"
              for sku, quantity in order.lines.items()]
    order.status = "dispatched"
    return labels
