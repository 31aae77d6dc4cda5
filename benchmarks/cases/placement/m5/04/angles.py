"""Sexagesimal angles."""
import re
from decimal import Decimal, getcontext, localcontext

DMS = re.compile(r"(?P<sign>[+-]?)(?P<d>\d+)[:d ](?P<m>\d+)[:m' ](?P<s>\d+(?:\.\d+)?)")


def parse(text: str) -> Decimal:
    m = DMS.fullmatch(text.strip())
    if m is None:
        raise ValueError(text)
    value = int(m["d"]) + Decimal(m["m"]) / 60 + Decimal(m["s"]) / 3600
    return -value if m["sign"] == "-" else value


def parse_exactly(text: str, digits: int) -> Decimal:
    with localcontext() as ctx:
        ctx.prec = 28
        value = parse(text)
        ctx.prec = digits
        return +value


def set_digits(digits: int) -> int:
    getcontext().prec = digits
    return digits
