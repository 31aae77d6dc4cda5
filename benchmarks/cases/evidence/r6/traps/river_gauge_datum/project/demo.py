from floodmap import FloodMap
from gauge import Gauge

print(Gauge().read("Saalemuendung"))
print(FloodMap().mark("survey of 1999", 6.5)["cells"])
