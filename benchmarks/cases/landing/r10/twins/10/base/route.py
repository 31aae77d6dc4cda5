"""Routes made of legs."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Leg:
    start: str
    end: str
    distance: float


def parse(text):
    """Read legs from lines like 'Bonn, Ulm, 412' (kilometres)."""
    legs = []
    for line in text.strip().splitlines():
        start, end, km = (part.strip() for part in line.split(","))
        legs.append(Leg(start, end, float(km)))
    return legs


def total(legs):
    return sum(leg.distance for leg in legs)
