"""Any value of a running program as JSON, whatever it is: what has no form of its own is shown as text, never an error.

A node may publish or return anything: tuple keys, values that contain themselves, NaN, integers of a thousand digits,
lone surrogates, objects whose `__str__` raises. What is told of it must be JSON that every reader takes, browsers and
strict parsers too, and telling it must never change what the program does.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

# Deeper than any real message, and far from Python's own limit, which a handler may have used up already.
MAX_DEPTH = 100
MAX_INT_BITS = 14_000  # some 4,200 digits: longer ones Python itself does not write in decimal


def dump_json(value: Any) -> str:
    """The value as strict JSON. What is JSON already costs one pass; anything else is looked at piece by piece."""
    try:
        text = json.dumps(value, default=_convert_value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        # Encoded once here: a surrogate would otherwise be found by the socket, in the middle of an answer.
        text.encode()  # a lone surrogate cannot be sent
    except Exception:  # whatever a foreign `__str__` may raise, too
        # The road of one pass failed. Piece by piece costs much more, and is therefore never tried first.
        return json.dumps(make_plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text


def make_jsonable(value: Any) -> Any:
    """The value as plain JSON values; records as objects."""
    try:
        return json.loads(dump_json(value))
    except RecursionError:
        return make_plain(value)


def make_plain(value: Any, depth: int = 0, above: tuple[int, ...] = ()) -> Any:
    """As `make_jsonable`, without trusting anything. `above`: the values that this one is part of."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, int):
        return int(value) if value.bit_length() <= MAX_INT_BITS else hex(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else _render_text(value)
    # By identity, along the way down: two equal values side by side are not a circle.
    if id(value) in above:
        return "(contains itself)"
    if depth >= MAX_DEPTH:
        return "(too deep)"
    within = (*above, id(value))
    try:
        if isinstance(value, Mapping):
            return {_render_key(k): make_plain(v, depth + 1, within) for k, v in value.items()}
        if is_dataclass(value) and not isinstance(value, type):
            return {f.name: make_plain(getattr(value, f.name), depth + 1, within) for f in fields(value)}
        # A set has no order. As a list of what it gives now it is at least readable.
        if isinstance(value, list | tuple | set | frozenset):
            return [make_plain(element, depth + 1, within) for element in value]
    except Exception:  # a mapping or a record of the program's own that does not keep its word
        return _render_text(value)
    return _render_text(value)


def _convert_value(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in fields(value)}
    return list(value) if isinstance(value, set | frozenset) else str(value)


def _render_key(key: Any) -> str:
    plain_key = make_plain(key, MAX_DEPTH)
    return plain_key if isinstance(plain_key, str) and isinstance(key, str | int | float) else _render_text(key)


def _render_text(value: Any) -> str:
    try:
        return str(value).encode("utf-8", "backslashreplace").decode()
    except Exception:
        return f"(a {type(value).__name__} that cannot be shown)"
