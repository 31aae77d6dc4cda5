from balloon import Altimeter, Balloon


def pressures():
    balloon = Balloon()
    for minute in range(0, 30, 10):
        yield balloon.rise(minute)["hpa"]


for p in pressures():
    print(Altimeter().height(pressure=p)["metres"])
