"""Values as deviations from the mean of their sensor."""
from statistics import fmean

from sensors.readings import load_readings


def calibrate(readings):
    """Return the readings with value replaced by its deviation, rounded."""
    readings = list(readings)
    values = [reading["value"] for reading in readings]
    middle = fmean(values) if values else 0.0
    return [dict(reading, value=round(reading["value"] - middle, 3)) for reading in readings]


def calibrate_file(path, sensor):
    with open(path, encoding="utf-8") as handle:
        return calibrate(load_readings(handle, sensor))
