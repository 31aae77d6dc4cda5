"""Routes made of legs."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Leg:
    start: str
    end: str
    distance: float

    @property
    def metres(self):
        return round(self.distance * 1000)


def kilometres(length):
    """'412' and '412 km' are kilometres, '800 m' is metres."""
    number, _, unit = length.partition(" ")
    return float(number) / (1000 if unit == "m" else 1)


def parse(text):
    """Read legs from lines like 'Bonn, Ulm, 412' (kilometres) or 'Ulm, Ulm Nord, 800 m'."""
    legs = []
    for line in text.strip().splitlines():
        start, end, length = (part.strip() for part in line.split(","))
        legs.append(Leg(start, end, kilometres(length)))
    return legs


def total(legs):
    return sum(leg.metres for leg in legs)
