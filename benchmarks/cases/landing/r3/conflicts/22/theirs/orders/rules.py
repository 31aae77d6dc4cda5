"""What an order must look like."""

MAX_LINES = 50


def validate(order):
    """Return what is wrong with the order, a list of texts."""
    problems = []
    if not order.get("customer"):
        problems.append("no customer")
    lines = order.get("lines", [])
    if not 0 < len(lines) <= MAX_LINES:
        problems.append(f"{len(lines)} lines")
    for number, line in enumerate(lines, 1):
        if line["count"] <= 0 or line["price"] < 0:
            problems.append(f"line {number}")
    return problems


def total(order):
    return sum(line["count"] * line["price"] for line in order["lines"])
