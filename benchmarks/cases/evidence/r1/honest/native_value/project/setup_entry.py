from dashboard import Dashboard
from sensors import Thermometer

SENSORS = [Thermometer(213), Thermometer(190)]


def tiles():
    dashboard = Dashboard()
    for sensor in SENSORS:
        reading = sensor.update()
        yield dashboard.tile(state=reading["native_value"], unit=reading["unit"])["tile"]


if __name__ == "__main__":
    print(*tiles())
