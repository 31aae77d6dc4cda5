from meter import Meter
from tariff import Tariff

r = Meter().read("M1")
print("night", Tariff().price(meter=r["meter"], kwh=r["night_kwh"])["price"])
