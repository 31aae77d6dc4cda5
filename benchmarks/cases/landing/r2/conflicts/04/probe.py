import refund
assert refund.refund(3).cents == -3
