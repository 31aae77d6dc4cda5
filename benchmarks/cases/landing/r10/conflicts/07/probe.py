from datetime import date

from billing import cost
from tariffs import Tariff

t = Tariff()
t.import_csv("2024-01-01,0.40\n2023-01-01,0.30\n2022-01-01,0.20\n")
got = cost(t, [(date(2022, 5, 5), 10), (date(2023, 5, 5), 10), (date(2024, 5, 5), 10)])
assert got == 9.0, got
