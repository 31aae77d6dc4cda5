"""The formats that we can check ourselves, and texts that have or lack them.

A format counts only where it is asked for, or on a link where it stands for a Python type (`forms.TYPE_FORMATS`).
A format that is not known here is never checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import Any

from graphbus_core.contracts.parsing.json_schema import Place, follow_pointer


def fits(name: str, value: object) -> bool:
    """Whether a value has a format. What is not text, and what is not known, fits."""
    rule = _RULES.get(name)
    return rule is None or not isinstance(value, str) or rule(value)


def find_rule(name: str) -> Callable[[str], bool]:
    """The rule of a format, for texts; one that is not known takes every text."""
    return _RULES.get(name, lambda _: True)


def is_known(name: str) -> bool:
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


def _build_parse_rule(parse: Callable[[str], object]) -> Callable[[str], bool]:
    def rule(text: str) -> bool:
        try:
            parse(text)
        except (ValueError, InvalidOperation):
            return False
        return True

    return rule


def _build_address_rule(version: int) -> Callable[[str], bool]:
    def rule(text: str) -> bool:
        from ipaddress import ip_address

        try:
            return ip_address(text).version == version
        except ValueError:
            return False

    return rule


def _is_date_time(text: str) -> bool:
    return (
        _DATE.match(text) is not None
        and text[10:11] in tuple("Tt ")
        and _build_parse_rule(datetime.fromisoformat)(text)
    )


def _is_pattern(text: str) -> bool:
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
    "date-time": _is_date_time,
    "date": lambda t: _DATE.fullmatch(t) is not None and _build_parse_rule(date.fromisoformat)(t),
    "time": lambda t: len(t) > 4 and _build_parse_rule(time.fromisoformat)(t),
    "duration": lambda t: _DURATION.fullmatch(t) is not None,
    "uuid": lambda t: _UUID.fullmatch(t) is not None,
    "decimal": lambda t: t == t.strip() and _build_parse_rule(Decimal)(t),
    "binary": lambda t: True,
    "email": lambda t: "@" in t,
    "uri": lambda t: re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*:[!-~]*", t) is not None,
    "ipv4": _build_address_rule(4),
    "ipv6": _build_address_rule(6),
    "hostname": lambda t: _HOST.fullmatch(t) is not None,
    "regex": _is_pattern,
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


def is_within(name: str, other: str) -> bool:
    """Whether a format is known to lie within another."""
    return name == other or other in _WITHIN.get(name, ())


# A payload that proves something, as a person would write it: texts of a format get an example of that format.
#
# The smallest text that proves a break is often "", and a reader who sees `{"id": ""}` where a UUID is declared takes
# it for a false alarm. So each is exchanged for an example, and kept only where the payload still proves the same.


MAX_PLACES = 50  # texts of one payload that are exchanged
MAX_SINGLE = 8  # of them one by one, where not all can be
MAX_PARTS = 200  # of a payload that is looked at
_DEPTH = 30


def fill_in_examples(schema: Any, value: Any, proves: Callable[[Any], bool]) -> Any:
    """`value`, with an example for each text whose format `schema` declares, as far as `proves` still holds of it."""
    if _is_large(value):  # the judge takes a quarter of a second for some, and nobody reads those by eye
        return value
    replacements = list(islice(_find_unformatted(schema, schema, value, (), 0), MAX_PLACES))
    if not replacements:
        return value
    whole = value
    for place, example in replacements:
        whole = _replace_at(whole, place, example)
    if proves(whole):
        return whole
    for place, example in replacements[:MAX_SINGLE]:  # one of them may be the very text that breaks
        candidate = _replace_at(value, place, example)
        if proves(candidate):
            value = candidate
    return value


def _is_large(value: Any) -> bool:
    """Whether a payload has more than MAX_PARTS values in it."""
    parts_left, waiting = MAX_PARTS, [value]
    while waiting and parts_left:
        part = waiting.pop()
        parts_left -= 1
        if isinstance(part, dict | list):
            if len(part) > parts_left:
                return True
            waiting += part.values() if isinstance(part, dict) else part
    return bool(waiting)


def _find_unformatted(schema: Any, document: Any, value: Any, place: Place, depth: int) -> Iterator[tuple[Place, str]]:
    """The texts that lack the format declared for them, each with an example. Branches of a union are passed over."""
    if not isinstance(schema, dict) or depth > _DEPTH:
        return
    inside = [follow_pointer(document, schema["$ref"])] if isinstance(schema.get("$ref"), str) else []
    inside += schema["allOf"] if isinstance(schema.get("allOf"), list) else []
    for subschema in inside:
        yield from _find_unformatted(subschema, document, value, place, depth + 1)
    if isinstance(value, str):
        name = schema.get("format")
        if isinstance(name, str) and not fits(name, value):
            yield from ((place, text) for text in islice((t for t in SAMPLES if fits(name, t)), 1))
    elif isinstance(value, dict):
        fields = schema.get("properties")
        fields = fields if isinstance(fields, dict) else {}
        for name, subschema in value.items():
            part = fields.get(name, schema.get("additionalProperties"))
            yield from _find_unformatted(part, document, subschema, (*place, name), depth + 1)
    elif isinstance(value, list):
        for number, subschema in enumerate(value):
            yield from _find_unformatted(schema.get("items"), document, subschema, (*place, number), depth + 1)


def _replace_at(value: Any, place: Place, text: str) -> Any:
    if not place:
        return text
    copied: Any = dict(value) if isinstance(value, dict) else list(value)
    copied[place[0]] = _replace_at(value[place[0]], place[1:], text)
    return copied
