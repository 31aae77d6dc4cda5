import configparser
from decimal import Decimal

_TEXT = """
[savings]
base = 0.0125
bonus = 0.0035
threshold = 10000

[current]
base = 0.0001
bonus = 0
threshold = 0

[fees]
transfer = 0.15
abroad = 4.90
"""

_cp = configparser.ConfigParser()
_cp.read_string(_TEXT)


def rate(account: str, balance: Decimal) -> Decimal:
    sec = _cp[account]
    r = Decimal(sec["base"])
    if balance >= Decimal(sec["threshold"]):
        r += Decimal(sec["bonus"])
    return r


def fee_in_cents(name: str) -> int:
    euros, _, cents = _cp.get("fees", name).partition(".")
    return int(euros) * 100 + int(cents.ljust(2, "0")[:2])
