from meter import Meter
from tariff import Tariff

meter = Meter()
before = meter.read()["total_kwh"]
meter.tick(42_000)
print(Tariff().charge(energy_kwh=meter.read()["total_kwh"] - before))
