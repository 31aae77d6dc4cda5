"""Routes made of legs."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Leg:
    start: str
    end: str
    distance: int  # metres


def metres(length):
    """'412' and '412 km' are kilometres, '800 m' is metres."""
    number, _, unit = length.partition(" ")
    return round(float(number) * (1 if unit == "m" else 1000))


def parse(text):
    """Read legs from lines like 'Bonn, Ulm, 412' (kilometres) or 'Ulm, Ulm Nord, 800 m'."""
    legs = []
    for line in text.strip().splitlines():
        start, end, length = (part.strip() for part in line.split(","))
        legs.append(Leg(start, end, metres(length)))
    return legs


def total(legs):
    return sum(leg.distance for leg in legs)
