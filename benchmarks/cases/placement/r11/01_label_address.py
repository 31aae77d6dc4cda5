# pure
"""Normalises one postal address from the event's own fields; keeps nothing, the tables are only read."""
import re
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

_ABBREVIATIONS = {"street": "ST", "avenue": "AVE", "road": "RD", "boulevard": "BLVD", "lane": "LN", "square": "SQ"}
_ZIP = {
    "US": re.compile(r"^\d{5}(-\d{4})?$"),
    "GB": re.compile(r"^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$"),
    "DE": re.compile(r"^\d{5}$"),
}
_SPACES = re.compile(r"\s+")


@dataclass
class Label:
    lines: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        if text:
            self.lines.append(text[:35])


def _clean(text: str) -> str:
    return _SPACES.sub(" ", text).strip(" ,.")


def _street(text: str) -> str:
    words = _clean(text).split(" ")
    return " ".join(_ABBREVIATIONS.get(w.lower().rstrip("."), w.upper()) for w in words)


def _postcode(text: str, country: str) -> str:
    code = _clean(text).upper()
    if country == "GB" and " " not in code and len(code) > 4:
        code = f"{code[:-3]} {code[-3:]}"
    return code


class LabelAddress(GraphBusNode):
    @subscribe("/Shipment/Address")
    def on_address(self, name: str, street: str, city: str, postcode: str, country: str) -> dict:
        country = country.strip().upper()
        label = Label()
        label.add(_clean(name).upper())
        label.add(_street(street))
        code = _postcode(postcode, country)
        rule = _ZIP.get(country)
        if rule is None:
            label.problems.append(f"country {country} is not served")
        elif not rule.match(code):
            label.problems.append(f"postcode {code!r} does not fit {country}")
        label.add(f"{code} {_clean(city).upper()}" if country == "DE" else f"{_clean(city).upper()} {code}")
        label.add(country)
        return {"lines": label.lines, "problems": label.problems, "printable": not label.problems}
