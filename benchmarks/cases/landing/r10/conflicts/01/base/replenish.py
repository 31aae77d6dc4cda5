"""What to order from suppliers."""


def to_order(warehouse, minimums):
    """Return {sku: quantity} that brings every sku up to its minimum."""
    wanted = {}
    for sku, minimum in minimums.items():
        missing = minimum - warehouse.available(sku)
        if missing > 0:
            wanted[sku] = missing
    return wanted
