"""Tax bands and grades."""
from typing import NamedTuple


class Band(NamedTuple):
    upto: int
    percent: int


BANDS = (Band(100_000, 0), Band(250_000, 14), Band(500_000, 28), Band(10**9, 42))
GRADES = {"junior": 1800, "senior": 2600, "lead": 3400}
WEEK = 40


def tax(gross: int) -> int:
    due, below = 0, 0
    for band in BANDS:
        part = min(gross, band.upto) - below
        if part <= 0:
            break
        due += part * band.percent // 100
        below = band.upto
    return due
