"""What of a payload JSON can say: told apart for the journal, made presentable for whoever only looks on.

It knows no event and no file.
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable
from typing import Any

from graphbus_core.shown import shortened

_PLAIN = (str, int, float, bool, type(None))


def foreign(value: Any) -> str | None:
    """What in `value` would come back from JSON as something else (a tuple, a key that is not text), or None."""
    waiting = [value]
    seen = 0
    while waiting:
        one = waiting.pop()
        kind = type(one)
        if kind is dict:
            seen += 1
            for key, item in one.items():
                if type(key) is not str:
                    return f"the key {shortened(_text(key), 40)} is {type(key).__name__}, and keys of JSON are text"
                if type(item) not in _PLAIN or type(item) is float:
                    waiting.append(item)
        elif kind is list:
            waiting.extend(one)
        elif kind is float:
            if not math.isfinite(one):
                return f"{one} is not a number of JSON"
        elif isinstance(one, tuple):
            return f"the tuple {shortened(_text(one), 40)} would come back as a list"
    return None


def plain(value: Any, depth: int = 0) -> Any:
    """`value` as JSON can write it; what it cannot say is shown as text."""
    if depth > 100:
        return "…"
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, dict):
        return {k if isinstance(k, str) else _text(k): plain(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v, depth + 1) for v in value]
    return _text(value)


def one_line(value: Any, *, ensure_ascii: bool = True) -> str:
    """`value` as one line of JSON, whatever it is."""
    return json.dumps(plain(value), ensure_ascii=ensure_ascii, allow_nan=False, default=_text)


def error_text(error: BaseException | str) -> str:
    """What an error says, or its kind where it says nothing, or cannot."""
    try:
        return str(error) or type(error).__name__
    except Exception:
        return type(error).__name__


def _text(value: Any) -> str:
    try:
        return repr(value)
    except Exception:
        return f"<{type(value).__name__}>"


def as_received(bound: Callable[..., Any], payload: dict[str, Any]) -> Any:
    """What the method sees: with its defaults; or the one dict that it takes, where its contract describes that."""
    try:
        signature = inspect.signature(bound)
        arguments = signature.bind(**payload)
    except (TypeError, ValueError):
        return None
    if len(signature.parameters) == 1 and len(payload) == 1 and isinstance(only := next(iter(payload.values())), dict):
        return only
    arguments.apply_defaults()
    return dict(arguments.arguments)
