import refund
assert refund.refund("a").price == -1
