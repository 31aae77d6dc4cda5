from math import prod

from roof import FeedIn, Inverter

kwh = prod(Inverter().noon("mon").values())
print(FeedIn().credit(kwh=kwh))
