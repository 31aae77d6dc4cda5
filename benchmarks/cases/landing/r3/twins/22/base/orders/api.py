"""The HTTP side: returns (status, body)."""
from orders.rules import total, validate


def post_order(store, order):
    if not validate(order):
        return 422, {"error": "not a valid order"}
    number = len(store) + 1
    store[number] = order
    return 201, {"number": number, "total": total(order)}
