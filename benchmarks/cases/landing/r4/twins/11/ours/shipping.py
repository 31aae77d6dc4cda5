"""What the warehouse packs today."""


def to_pack(orders):
    """Paid orders still here, the biggest first."""
    ready = [order for order in orders if order.is_paid and not order.shipped]
    return sorted(ready, key=lambda order: -order.cents)
