from fuel.logbook import Logbook
from fuel.pump import Pump


def at_15(litres, celsius):
    return litres * (1 - 0.00095 * (celsius - 15))


def serve(pulses, celsius):
    filling = Pump().fill(pulses, celsius)
    volume = filling["litres"]
    volume = at_15(volume, filling["celsius"])
    return Logbook().enter(volume=volume)
