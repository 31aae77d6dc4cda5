"""The highest value of each sensor."""
from sensors.readings import load_readings


def peaks(lines):
    highest = {}
    for reading in load_readings(lines):
        name = reading["sensor"]
        highest[name] = max(reading["value"], highest.get(name, reading["value"]))
    return highest
