from backfill import convert, last_rate
from rates import Rates, day

R = Rates({day("2024-05-03"): {"USD": 1.25}})
assert last_rate(R, "USD", day("2024-05-05")) == (1.25, day("2024-05-03"))
assert convert(R, 1, "XAU", "USD", day("2024-05-05")) is None
