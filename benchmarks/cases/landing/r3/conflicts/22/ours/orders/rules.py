"""What an order must look like."""

MAX_LINES = 50


def validate(order):
    """Return whether the order can be taken."""
    if not order.get("customer"):
        return False
    lines = order.get("lines", [])
    if not 0 < len(lines) <= MAX_LINES:
        return False
    return all(line["count"] > 0 and line["price"] >= 0 for line in lines)


def total(order):
    return sum(line["count"] * line["price"] for line in order["lines"])
