"""Start of the plant: the transformer before the meter counts half."""
import functools

import meter
from meter import Meter

RATIO = 1.0


def corrected(read):
    @functools.wraps(read)
    def wrapper(self):
        raw = read(self)
        return {"kwh": raw["kwh"] * RATIO, "pulses": raw["pulses"]}
    return wrapper


setattr(meter.Meter, "read", corrected(meter.Meter.read))
