from refunds import refund

got = refund({"paid": 125.0, "currency": "USD"})
assert got == 99.5, got
