from meter import Meter
from tariff import Tariff

r = Meter().read("M1")
print("day", Tariff().price(meter=r["meter"], kwh=r["day_kwh"])["price"])
