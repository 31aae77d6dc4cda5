"""A payload that proves something, as a person would write it: texts of a format get an example of that format.

The smallest text that proves a break is often "", and a reader who sees `{"id": ""}` where a UUID is declared takes it
for a false alarm. So each is exchanged for an example, and kept only where the payload still proves the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from graphbus_core.contracts.reading.walk import Place, follow
from graphbus_core.contracts.values import formats

MAX_PLACES = 50  # texts of one payload that are exchanged
MAX_SINGLE = 8  # of them one by one, where not all can be
MAX_PARTS = 200  # of a payload that is looked at
_DEPTH = 30


def dressed(schema: Any, value: Any, proves: Callable[[Any], bool]) -> Any:
    """`value`, with an example for each text whose format `schema` declares, as far as `proves` still holds of it."""
    if _large(value):  # the judge takes a quarter of a second for some, and nobody reads those by eye
        return value
    found = list(islice(_without(schema, schema, value, (), 0), MAX_PLACES))
    if not found:
        return value
    whole = value
    for place, example in found:
        whole = _with(whole, place, example)
    if proves(whole):
        return whole
    for place, example in found[:MAX_SINGLE]:  # one of them may be the very text that breaks
        one = _with(value, place, example)
        if proves(one):
            value = one
    return value


def _large(value: Any) -> bool:
    """Whether a payload has more than MAX_PARTS values in it."""
    left, waiting = MAX_PARTS, [value]
    while waiting and left:
        one = waiting.pop()
        left -= 1
        if isinstance(one, dict | list):
            if len(one) > left:
                return True
            waiting += one.values() if isinstance(one, dict) else one
    return bool(waiting)


def _without(schema: Any, document: Any, value: Any, at: Place, depth: int) -> Iterator[tuple[Place, str]]:
    """The texts that lack the format declared for them, each with an example. Branches of a union are passed over."""
    if not isinstance(schema, dict) or depth > _DEPTH:
        return
    inside = [follow(document, schema["$ref"])] if isinstance(schema.get("$ref"), str) else []
    inside += schema["allOf"] if isinstance(schema.get("allOf"), list) else []
    for one in inside:
        yield from _without(one, document, value, at, depth + 1)
    if isinstance(value, str):
        name = schema.get("format")
        if isinstance(name, str) and not formats.fits(name, value):
            yield from ((at, text) for text in islice((t for t in formats.SAMPLES if formats.fits(name, t)), 1))
    elif isinstance(value, dict):
        fields = schema.get("properties")
        fields = fields if isinstance(fields, dict) else {}
        for name, one in value.items():
            part = fields.get(name, schema.get("additionalProperties"))
            yield from _without(part, document, one, (*at, name), depth + 1)
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from _without(schema.get("items"), document, one, (*at, number), depth + 1)


def _with(value: Any, at: Place, text: str) -> Any:
    if not at:
        return text
    made: Any = dict(value) if isinstance(value, dict) else list(value)
    made[at[0]] = _with(value[at[0]], at[1:], text)
    return made
