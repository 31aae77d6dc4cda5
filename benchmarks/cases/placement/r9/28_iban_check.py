# pure
"""Calculates the check digits of an account number."""
from graphbus_core import GraphBusNode, subscribe

LENGTHS = {"DE": 22, "AT": 20, "CH": 21, "NL": 18, "FR": 27, "GB": 22, "BE": 16}
BANKS = {"DE": slice(4, 12), "AT": slice(4, 9), "NL": slice(4, 8), "GB": slice(4, 8)}


class IbanError(Exception):
    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def as_number(text: str) -> int:
    return int("".join(str(int(sign, 36)) for sign in text))


def verify(iban: str) -> None:
    if not iban.isalnum() or not iban.isascii():
        raise IbanError("characters")
    expected = LENGTHS.get(iban[:2])
    if expected is None:
        raise IbanError("country")
    if len(iban) != expected:
        raise IbanError("length")
    if as_number(iban[4:] + iban[:4]) % 97 != 1:
        raise IbanError("checksum")


def grouped(iban: str) -> str:
    return " ".join(iban[start:start + 4] for start in range(0, len(iban), 4))


class IbanCheck(GraphBusNode):
    @subscribe("/Account/Entered")
    def on_entered(self, holder: str, iban: str) -> dict[str, object]:
        compact = iban.replace(" ", "").upper()
        try:
            verify(compact)
        except IbanError as error:
            return {"holder": holder, "valid": False, "reason": error.code}
        bank = compact[BANKS[compact[:2]]] if compact[:2] in BANKS else None
        return {"holder": holder, "valid": True, "iban": grouped(compact), "bank": bank}
