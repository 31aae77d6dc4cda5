from orders.load import read_orders


def largest_share(path):
    """Customer with the largest order and its part of the day's turnover."""
    rows = list(read_orders(path))
    turnover = sum(row["amount"] for row in rows)
    best = None
    for row in rows:
        if best is None or row["amount"] > best["amount"]:
            best = row
    if best is None:
        return None, 0.0
    return best["customer"], best["amount"] / turnover
