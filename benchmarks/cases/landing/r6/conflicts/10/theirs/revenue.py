from order import Status


def revenue(orders):
    """Money that has come in."""
    total = 0
    for order in orders:
        if order.status is not Status.OPEN:
            total += order.total
    return total
