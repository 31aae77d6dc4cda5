# pure
"""The cache holds the outcome of a function of the text alone, so a hit answers what a miss would."""
from functools import lru_cache
from typing import Final, Protocol

from graphbus_core import GraphBusNode, subscribe

LENGTHS: Final = {"DE": 22, "AT": 20, "NL": 18, "BE": 16, "FR": 27}


class Check(Protocol):
    def __call__(self, iban: str) -> str | None: ...


def squeeze(text: str) -> str:
    return "".join(text.split()).upper()


def country_known(iban: str) -> str | None:
    return None if iban[:2] in LENGTHS else f"unknown country {iban[:2] or '?'}"


def length_right(iban: str) -> str | None:
    want = LENGTHS.get(iban[:2], len(iban))
    return None if len(iban) == want else f"length {len(iban)} instead of {want}"


def plain_characters(iban: str) -> str | None:
    return None if iban.isascii() and iban.isalnum() else "characters other than letters and digits"


def checksum_right(iban: str) -> str | None:
    if not (iban.isascii() and iban.isalnum()):
        return None
    turned = iban[4:] + iban[:4]
    digits = "".join(str(int(ch, 36)) for ch in turned)
    return None if int(digits) % 97 == 1 else "checksum"


CHECKS: tuple[Check, ...] = (country_known, length_right, plain_characters, checksum_right)


@lru_cache(maxsize=4096)
def problems(iban: str) -> tuple[str, ...]:
    return tuple(message for check in CHECKS if (message := check(iban)) is not None)


class PayeeGate(GraphBusNode):
    @subscribe("/Transfer/Requested")
    def on_transfer(self, reference: str, iban: str, cents: int) -> dict[str, object]:
        account = squeeze(iban)
        found = list(problems(account))
        if cents <= 0:
            found.append("amount")
        return {"reference": reference, "accepted": not found, "problems": found}

    @subscribe("/Payee/Added")
    def on_payee(self, name: str, iban: str) -> str:
        account = squeeze(iban)
        masked = account[:4] + "*" * max(0, len(account) - 8) + account[-4:]
        return f"{name.strip().title()} {masked} {'ok' if not problems(account) else 'rejected'}"
