from math import ceil

from plumber.invoice import Invoice
from plumber.timer import Timer

print(Invoice().write(hours=ceil(Timer().stop("sink").hours))["euros"])
