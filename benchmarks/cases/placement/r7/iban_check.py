# pure
"""Keeps nothing: the check is arithmetic over the event and constant tables."""
import re
from dataclasses import dataclass
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Verdict(Enum):
    VALID = "valid"
    LENGTH = "wrong length"
    COUNTRY = "unknown country"
    CHECKSUM = "checksum"
    SHAPE = "shape"


LENGTHS = {"DE": 22, "AT": 20, "CH": 21, "FR": 27, "NL": 18, "GB": 22, "BE": 16}
SEPA_ONLY = frozenset(LENGTHS) - {"GB"}
SHAPE = re.compile(r"(?P<country>[A-Z]{2})(?P<check>\d\d)(?P<account>[A-Z0-9]+)")


@dataclass(frozen=True)
class Iban:
    country: str
    check: str
    account: str

    @property
    def compact(self) -> str:
        return f"{self.country}{self.check}{self.account}"

    def remainder(self) -> int:
        turned = self.account + self.country + self.check
        number = "".join(str(int(char, 36)) for char in turned)
        return int(number) % 97

    def pretty(self) -> str:
        text = self.compact
        return " ".join(text[i:i + 4] for i in range(0, len(text), 4))


def parse(text: str) -> Iban | None:
    found = SHAPE.fullmatch(re.sub(r"[\s-]", "", text).upper())
    return Iban(**found.groupdict()) if found else None


def judge(iban: Iban | None) -> Verdict:
    if iban is None:
        return Verdict.SHAPE
    if iban.country not in LENGTHS:
        return Verdict.COUNTRY
    if len(iban.compact) != LENGTHS[iban.country]:
        return Verdict.LENGTH
    return Verdict.VALID if iban.remainder() == 1 else Verdict.CHECKSUM


class TransferCheck(GraphBusNode):
    @subscribe("/transfers/entered")
    def on_transfer(self, reference: str, iban: str, cents: int) -> dict[str, object]:
        parsed = parse(iban)
        verdict = judge(parsed)
        answer: dict[str, object] = {"reference": reference, "verdict": verdict.value}
        if parsed is not None and verdict is Verdict.VALID:
            answer["iban"] = parsed.pretty()
            answer["instant"] = parsed.country in SEPA_ONLY and cents <= 10_000_000
        return answer
