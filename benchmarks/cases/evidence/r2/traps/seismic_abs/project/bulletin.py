from quake import Richter, Station

peaks = map(abs, (Station().trace(h)["peak"] for h in (1, 2)))
print(*[Richter().rate(amplitude=p)["scale"] for p in peaks])
