# pure
"""Checks the number it is given against constant tables."""
import string
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe

_LENGTHS = MappingProxyType({"DE": 22, "AT": 20, "CH": 21, "FR": 27, "NL": 18, "GB": 22})
_VALUES = {
    char: str(value)
    for value, char in enumerate(string.digits + string.ascii_uppercase)
}


class InvalidIban(ValueError):
    pass


def normalise(text: str) -> str:
    iban = "".join(text.split()).upper()
    if len(iban) < 5 or not iban.isascii() or not iban.isalnum():
        raise InvalidIban("malformed")
    expected = _LENGTHS.get(iban[:2])
    if expected is None:
        raise InvalidIban("country not supported")
    if len(iban) != expected:
        raise InvalidIban(f"{expected} characters expected")
    turned = iban[4:] + iban[:4]
    if int("".join(_VALUES[char] for char in turned)) % 97 != 1:
        raise InvalidIban("checksum")
    return iban


class IbanCheck(GraphBusNode):
    @subscribe("/Account/Entered")
    def on_event(self, text: str) -> dict[str, object]:
        try:
            iban = normalise(text)
        except InvalidIban as error:
            return {"valid": False, "reason": str(error)}
        groups = (iban[start:start + 4] for start in range(0, len(iban), 4))
        return {"valid": True, "iban": " ".join(groups)}
