"""Readings of the sensors: one JSON object a line."""
import json


def load_readings(lines, sensor=None):
    """Yield the readings (dicts with sensor, at and value); bad lines are dropped."""
    for line in lines:
        try:
            reading = json.loads(line)
        except ValueError:
            continue
        if sensor is None or reading.get("sensor") == sensor:
            yield reading
