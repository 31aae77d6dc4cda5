from cart import Cart
from picker import Picker


def test_total():
    lines = Cart().lines("c")["lines"]
    picks = [{"sku": line["sku"], "quantity": line["qty"]} for line in lines]
    assert Picker().pick(lines=picks) == {"total": 3, "first": "a"}
