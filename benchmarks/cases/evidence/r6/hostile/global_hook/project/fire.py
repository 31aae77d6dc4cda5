from startup import PEAK, Glaze

for heat in (90.0, 1100.0, 800.0):
    print(Glaze().stage(**{"celsius": heat})["stage"])
print(PEAK["seen"])
