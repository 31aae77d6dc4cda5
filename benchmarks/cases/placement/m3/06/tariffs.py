from bisect import bisect_right
from types import MappingProxyType

HOURS = MappingProxyType({
    "night": frozenset(range(0, 6)),
    "day": frozenset(range(6, 17)),
    "peak": frozenset(range(17, 21)),
    "evening": frozenset(range(21, 24)),
})
CENTS = MappingProxyType({"night": 11, "day": 24, "peak": 39, "evening": 27})

_BANDS = [0, 1000, 3000, 8000]
_FEE = [0, 250, 600, 1400]


def period(hour):
    for name, hours in HOURS.items():
        if hour in hours:
            return name
    raise LookupError(hour)


def standing_fee(kwh_year):
    return _FEE[bisect_right(_BANDS, kwh_year) - 1]


def flat(profile):
    return sum(profile) * 25


def by_hour(profile):
    return sum(kwh * CENTS[period(h)] for h, kwh in enumerate(profile))


def solar(profile):
    return sum(max(kwh, 0) * 30 + min(kwh, 0) * 8 for kwh in profile)


PLANS = {"flat": flat, "hourly": by_hour, "solar": solar}
