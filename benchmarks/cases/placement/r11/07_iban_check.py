# pure
"""Checks IBANs; the only thing kept is a memo from a text to its checksum, which never changes an answer."""
import string

from graphbus_core import GraphBusNode, subscribe

LENGTHS = {"DE": 22, "GB": 22, "FR": 27, "NL": 18, "AT": 20, "CH": 21}
_VALUES = {c: str(i) for i, c in enumerate(string.digits + string.ascii_uppercase)}
_MEMO_LIMIT = 4096


class IbanCheck(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._remainders: dict[str, int] = {}

    def _remainder(self, iban: str) -> int:
        known = self._remainders.get(iban)
        if known is not None:
            return known
        digits = "".join(_VALUES[c] for c in iban[4:] + iban[:4])
        remainder = 0
        for start in range(0, len(digits), 7):
            remainder = int(str(remainder) + digits[start:start + 7]) % 97
        if len(self._remainders) >= _MEMO_LIMIT:
            self._remainders.clear()
        self._remainders[iban] = remainder
        return remainder

    def _problem(self, iban: str) -> str | None:
        if not iban.isascii() or not iban.isalnum():
            return "characters"
        expected = LENGTHS.get(iban[:2])
        if expected is None:
            return "country"
        if len(iban) != expected:
            return "length"
        return None if self._remainder(iban) == 1 else "checksum"

    @subscribe("/Payments/Account")
    def on_account(self, holder: str, account: str) -> dict[str, str | None]:
        iban = "".join(account.split()).upper()
        grouped = " ".join(iban[i:i + 4] for i in range(0, len(iban), 4))
        return {"holder": holder.strip(), "iban": grouped, "problem": self._problem(iban)}
