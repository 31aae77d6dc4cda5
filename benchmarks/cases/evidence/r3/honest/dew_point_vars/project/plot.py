from plotter import Plotter
from sounding import Sounding

sounding, plotter = Sounding(), Plotter()
rows = [plotter.point(tc=sounding.level(p)["temperature"])["row"] for p in range(1000, 200, -200)]
print("\n".join(rows))
print(plotter.note)
