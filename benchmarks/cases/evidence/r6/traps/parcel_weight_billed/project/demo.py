from scale import Scale
from tariff import Tariff

seen = Scale().measure("P-8", (20, 20, 10))
print(seen["dead_kg"], seen["volume_kg"])
print(Tariff().price("sample", 9.5)["euro"])
