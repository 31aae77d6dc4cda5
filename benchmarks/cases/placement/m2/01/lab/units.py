"""Conversion between conventional and SI units."""
from decimal import ROUND_HALF_EVEN, Decimal
from functools import lru_cache

MOLAR_MASS = {"GLU": Decimal("180.156"), "CREA": Decimal("113.12"), "K": Decimal("39.098"), "NA": Decimal("22.99")}
PREFIX = {"": Decimal(1), "m": Decimal("0.001"), "u": Decimal("0.000001")}
VOLUME = {"L": Decimal(1), "dL": Decimal("0.1"), "mL": Decimal("0.001")}


@lru_cache(maxsize=64)
def factor(analyte: str, unit: str) -> tuple[Decimal, str]:
    amount, _, volume = unit.partition("/")
    if amount.endswith("mol"):
        base = PREFIX[amount[:-3]]
        return base / VOLUME[volume] * 1000, "mmol/L"
    grams = PREFIX[amount[:-1]] / VOLUME[volume]
    return grams / MOLAR_MASS[analyte] * 1000, "mmol/L"


def to_si(analyte: str, value: str, unit: str) -> tuple[str, str]:
    f, target = factor(analyte, unit)
    si = (Decimal(value) * f).quantize(Decimal("0.0001"), rounding=ROUND_HALF_EVEN)
    return format(si.normalize(), "f"), target
