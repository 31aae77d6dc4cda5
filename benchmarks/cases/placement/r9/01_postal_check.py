# pure
"""Checks an address against constant patterns."""
import re

from graphbus_core import GraphBusNode, subscribe

PATTERNS = {
    "DE": re.compile(r"(?!00)\d{5}"),
    "AT": re.compile(r"[1-9]\d{3}"),
    "CH": re.compile(r"[1-9]\d{3}"),
    "PL": re.compile(r"\d{2}-\d{3}"),
    "GB": re.compile(r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}"),
}
ABBREVIATIONS = {"str.": "straße", "str": "straße", "pl.": "platz", "rd": "road", "ave": "avenue"}


def expand(street: str) -> str:
    words = street.split()
    return " ".join(ABBREVIATIONS.get(word.lower(), word) for word in words)


def problems(street: str, code: str, town: str, country: str) -> list[str]:
    found = []
    if not any(sign.isdigit() for sign in street):
        found.append("house number missing")
    pattern = PATTERNS.get(country)
    if pattern is None:
        found.append("country not served")
    elif not pattern.fullmatch(code):
        found.append("postcode malformed")
    if len(town) < 2:
        found.append("town too short")
    return found


class PostalCheck(GraphBusNode):
    @subscribe("/Address/Submitted")
    def on_submitted(self, street: str, code: str, town: str, country: str) -> dict[str, object]:
        code = code.strip().upper()
        country = country.strip().upper()
        street = expand(street)
        found = problems(street, code, town.strip(), country)
        if found:
            return {"valid": False, "problems": found}
        return {"valid": True, "lines": [street, f"{code} {town.strip().title()}", country]}
