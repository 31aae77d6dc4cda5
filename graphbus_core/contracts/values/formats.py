"""The formats that we can check ourselves, and texts that have or lack them.

A format counts only where it is asked for, or on a link where it stands for a Python type (`forms.TYPE_FORMATS`).
A format that is not known here is never checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation


def fits(name: str, value: object) -> bool:
    """Whether a value has a format. What is not text, and what is not known, fits."""
    made = _RULES.get(name)
    return made is None or not isinstance(value, str) or made(value)


def rule(name: str) -> Callable[[str], bool]:
    """The rule of a format, for texts; one that is not known takes every text."""
    return _RULES.get(name, lambda _: True)


def known(name: str) -> bool:
    """Whether a format can be checked here."""
    return name in _RULES


# Texts to try: each has one or more formats, or none.
SAMPLES: tuple[str, ...] = (
    "2024-01-31T12:30:00Z",
    "2024-01-31",
    "12:30:00Z",
    "P1DT2H",
    "123e4567-e89b-42d3-a456-426614174000",
    "1.50",
    "a@example.com",
    "https://example.com/a",
    "192.0.2.1",
    "2001:db8::1",
    "example.com",
    "/a/b",
    "text",
    "a b",
    "ü@example.com",
    "0/a",
)


def _parses(parse: Callable[[str], object]) -> Callable[[str], bool]:
    def rule(text: str) -> bool:
        try:
            parse(text)
        except (ValueError, InvalidOperation):
            return False
        return True

    return rule


def _address(version: int) -> Callable[[str], bool]:
    def rule(text: str) -> bool:
        from ipaddress import ip_address

        try:
            return ip_address(text).version == version
        except ValueError:
            return False

    return rule


def _date_time(text: str) -> bool:
    return _DATE.match(text) is not None and text[10:11] in tuple("Tt ") and _parses(datetime.fromisoformat)(text)


def _pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True


_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")  # Python reads `2024-W01-1`, RFC 3339 does not
_UUID = re.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_DURATION = re.compile(r"-?P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)", re.ASCII)
_HOST = re.compile(
    r"(?=.{1,253}$)([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*"
)

_RULES: dict[str, Callable[[str], bool]] = {
    "date-time": _date_time,
    "date": lambda t: _DATE.fullmatch(t) is not None and _parses(date.fromisoformat)(t),
    "time": lambda t: len(t) > 4 and _parses(time.fromisoformat)(t),
    "duration": lambda t: _DURATION.fullmatch(t) is not None,
    "uuid": lambda t: _UUID.fullmatch(t) is not None,
    "decimal": lambda t: t == t.strip() and _parses(Decimal)(t),
    "binary": lambda t: True,
    "email": lambda t: "@" in t,
    "uri": lambda t: re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*:[!-~]*", t) is not None,
    "ipv4": _address(4),
    "ipv6": _address(6),
    "hostname": lambda t: _HOST.fullmatch(t) is not None,
    "regex": _pattern,
    "idn-email": lambda t: "@" in t,
    "idn-hostname": lambda t: 0 < len(t) <= 253 and not re.search(r"[\s/@:]|^[.-]|[.-]$", t),
    "uri-reference": lambda t: re.fullmatch(r"[!-~]*", t) is not None,
    "iri": lambda t: re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*:\S*", t) is not None,
    "iri-reference": lambda t: re.search(r"\s", t) is None,
    "json-pointer": lambda t: re.fullmatch(r"(/([^~/]|~[01])*)*", t) is not None,
    "relative-json-pointer": lambda t: re.fullmatch(r"(0|[1-9][0-9]*)(#|(/([^~/]|~[01])*)*)", t) is not None,
}

# Every text of the one format has the other.
_WITHIN: dict[str, frozenset[str]] = {
    "email": frozenset({"idn-email"}),
    "hostname": frozenset({"idn-hostname"}),
    "uri": frozenset({"iri", "iri-reference", "uri-reference"}),
    "uri-reference": frozenset({"iri-reference"}),
    "iri": frozenset({"iri-reference"}),
}


def within(one: str, other: str) -> bool:
    """Whether a format is known to lie within another."""
    return one == other or other in _WITHIN.get(one, ())
