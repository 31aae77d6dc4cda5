# pure
"""Keeps nothing: checks one account number per event with local values only."""
import re

from graphbus_core import GraphBusNode, subscribe

LENGTHS = {"DE": 22, "AT": 20, "NL": 18, "FR": 27, "BE": 16}
_CLEAN = re.compile(r"[\s\-]+")


class InvalidAccount(ValueError):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def normalise(text: str) -> str:
    return _CLEAN.sub("", text).upper()


def checksum(iban: str) -> int:
    moved = iban[4:] + iban[:4]
    digits = "".join(str(int(ch, 36)) for ch in moved)
    return int(digits) % 97


def validate(iban: str) -> str:
    if not iban.isalnum() or not iban.isascii():
        raise InvalidAccount("characters")
    country = iban[:2]
    if country not in LENGTHS:
        raise InvalidAccount("country")
    if len(iban) != LENGTHS[country]:
        raise InvalidAccount("length")
    if checksum(iban) != 1:
        raise InvalidAccount("checksum")
    return country


class DirectDebitForm(GraphBusNode):
    @subscribe("/Forms/DirectDebit")
    def on_form(self, holder: str, iban: str) -> dict[str, object]:
        account = normalise(iban)
        try:
            country = validate(account)
        except InvalidAccount as exc:
            return {"ok": False, "reason": exc.reason, "holder": holder.strip()}
        groups = [account[i:i + 4] for i in range(0, len(account), 4)]
        return {"ok": True, "country": country, "printed": " ".join(groups), "holder": holder.strip()}
