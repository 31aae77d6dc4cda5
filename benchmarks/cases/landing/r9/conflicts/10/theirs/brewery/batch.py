"""Filling vessels from one or two lines."""


class LineStopped(Exception):
    pass


def open_for(meter, litres):
    """How many seconds the valve has to stay open."""
    rate = meter.flow()
    if rate <= 0:
        raise LineStopped("nothing flows")
    return litres / rate * 60


def fill(valve, meter, litres, sleep):
    seconds = open_for(meter, litres)
    valve.open()
    try:
        sleep(seconds)
    finally:
        valve.close()
