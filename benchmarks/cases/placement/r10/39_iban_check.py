# pure
"""Keeps nothing: the country table and the pattern are only read."""
import re
import string
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

LENGTHS = {"AT": 20, "BE": 16, "CH": 21, "DE": 22, "ES": 24, "FR": 27, "GB": 22, "IT": 27, "NL": 18, "PL": 28}
PATTERN = re.compile(r"(?P<country>[A-Z]{2})(?P<check>\d{2})(?P<bban>[A-Z0-9]+)")
VALUES = {ch: str(number) for number, ch in enumerate(string.digits + string.ascii_uppercase)}


class Verdict(NamedTuple):
    valid: bool
    reason: str = ""
    country: str = ""
    formatted: str = ""


def mod97(text: str) -> int:
    remainder = 0
    for digit in "".join(VALUES[ch] for ch in text):
        remainder = (remainder * 10 + int(digit)) % 97
    return remainder


def check_digits(country: str, bban: str) -> str:
    return f"{98 - mod97(f'{bban}{country}00'):02d}"


def grouped(text: str) -> str:
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def judge(raw: str) -> Verdict:
    text = "".join(raw.split()).upper()
    found = PATTERN.fullmatch(text)
    if found is None:
        return Verdict(False, "format")
    country = found["country"]
    if country not in LENGTHS:
        return Verdict(False, "country", country)
    if len(text) != LENGTHS[country]:
        return Verdict(False, f"length {len(text)} instead of {LENGTHS[country]}", country)
    if mod97(found["bban"] + country + found["check"]) != 1:
        return Verdict(False, f"check digits, expected {check_digits(country, found['bban'])}", country)
    return Verdict(True, country=country, formatted=grouped(text))


class IbanCheck(GraphBusNode):
    @subscribe("/account/entered")
    def on_account(self, iban: str, holder: str) -> dict[str, object]:
        verdict = judge(iban)
        return {"holder": holder.strip(), **verdict._asdict()}
