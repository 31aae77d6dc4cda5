from datetime import date

from hire import price
from nights import nights

assert price(date(2024, 5, 6), date(2024, 5, 7)) == 80
assert nights(date(2024, 5, 6), date(2024, 5, 7)) == 1
