# pure
"""Keeps only tables that are made at import and never written; each account number is judged alone."""
import string
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe

LENGTHS = MappingProxyType({"DE": 22, "AT": 20, "CH": 21, "FR": 27, "NL": 18, "GB": 22})
DIGITS = MappingProxyType({char: str(value) for value, char in enumerate(string.digits + string.ascii_uppercase)})


class Invalid(ValueError):
    @classmethod
    def because(cls, reason: str, **details: object) -> "Invalid":
        extra = ", ".join(f"{key} {value}" for key, value in details.items())
        return cls(f"{reason} ({extra})" if extra else reason)


def normal(iban: str) -> str:
    text = iban.replace(" ", "").upper()
    if not all(char in DIGITS for char in text):
        raise Invalid.because("characters")
    return text


def remainder(text: str) -> int:
    moved = text[4:] + text[:4]
    return int("".join(DIGITS[char] for char in moved)) % 97


def validate(iban: str) -> str:
    text = normal(iban)
    expected = LENGTHS.get(text[:2])
    if expected is None:
        raise Invalid.because("country", code=text[:2])
    if len(text) != expected:
        raise Invalid.because("length", is_=len(text), must=expected)
    if remainder(text) != 1:
        raise Invalid.because("checksum")
    return text


class IbanCheck(GraphBusNode):
    @subscribe("/Payment/Account")
    def on_account(self, holder: str, iban: str) -> dict[str, str]:
        try:
            text = validate(iban)
        except Invalid as error:
            return {"holder": holder, "error": str(error)}
        groups = " ".join(text[i:i + 4] for i in range(0, len(text), 4))
        return {"holder": holder, "iban": groups}
