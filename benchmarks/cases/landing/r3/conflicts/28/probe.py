from datetime import date

from rental.fleet import monthly_cost

got = monthly_cost({"car": 1}, date(2024, 6, 1))
assert got == 240, got
