"""Live Python values as the JSON that a contract speaks of: all at once, or one level where it is needed."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

from graphbus_core.contracts.reading.forms import CALLABLE, key_text

MAX_DEPTH = 200
JSON_TYPES: frozenset[type] = frozenset((str, int, float, bool, type(None), list, dict))

# Classes whose values are text in JSON, and the format that stands for them. On a link they are no `str`.
_FORMATS: tuple[tuple[type, str], ...] = (
    (datetime, "date-time"),
    (date, "date"),
    (time, "time"),
    (timedelta, "duration"),
    (UUID, "uuid"),
    (Decimal, "decimal"),
    (PurePath, "path"),
    (bytes, "binary"),
    (bytearray, "binary"),
)


_PLAIN: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (str, str.__str__),
    (int, int),
    (float, float),
    ((list, tuple), list),
    ((set, frozenset), lambda value: sorted(value, key=repr)),
)


def format_of(value: Any) -> str | None:
    """The format that stands for the class of a live value, or None."""
    return next((name for kind, name in _FORMATS if isinstance(value, kind)), None)


def class_names(value: Any) -> frozenset[str]:
    """The names under which a value's class may stand in a contract: its own, its bases', bare and with the package."""
    made = set()
    for kind in type(value).__mro__[:-1]:
        made |= {kind.__qualname__, f"{kind.__module__.partition('.')[0]}.{kind.__qualname__}"}
    if callable(value):
        made.add(CALLABLE)
    return frozenset(made)


def level(value: Any) -> Any:
    """One level of a value as JSON: lists, objects and scalars of the exact types; parts within stay as they are.

    What has no JSON form comes back as it is.
    """
    if isinstance(value, Enum):
        return level(value.value) if type(value.value) not in JSON_TYPES else value.value
    if isinstance(value, Mapping):
        return {_key(k): v for k, v in value.items()}
    for kinds, made in _PLAIN:
        if isinstance(value, kinds):
            return made(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and not hasattr(value, "model_dump"):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if hasattr(value, "model_dump"):
        return dumped(value)
    return _text(value)


def jsonable(value: Any, depth: int = 0) -> Any:
    """The whole value with tuples as lists, dates as text, enums as their values, dataclasses and models as objects.

    What has no JSON form is left as it is; a validator then says so.
    """
    if value is None or type(value) in (str, int, float, bool) or depth > MAX_DEPTH:
        return value
    made = level(value) if type(value) is not list and type(value) is not dict else value
    if isinstance(made, dict):
        return {_key(k): jsonable(v, depth + 1) for k, v in made.items()}
    return [jsonable(v, depth + 1) for v in made] if isinstance(made, list) else made


def dumped(model: Any, declared: Mapping[str, Any] | None = None) -> Any:
    """A pydantic model under the names that a contract uses: those that it is written with where `declared` has them,
    else those that it is read with.
    """
    made = model.model_dump(mode="json", by_alias=True)
    fields = getattr(type(model), "model_fields", None)
    if not isinstance(made, dict) or not isinstance(fields, dict):
        return made
    names = {}
    for name, field in fields.items():
        read = field.validation_alias if isinstance(field.validation_alias, str) else field.alias
        written = field.serialization_alias or name
        names[written] = written if declared is not None and written in declared else read or name
    return {names.get(k, k): v for k, v in made.items()}


def _text(value: Any) -> Any:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return f"{'-' if value < timedelta() else ''}PT{abs(value).total_seconds():.6f}S"
    if isinstance(value, Decimal | UUID | PurePath):
        return str(value)
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode()
    return value


def _key(key: Any) -> Any:
    """A key as JSON writes it: text."""
    return key if type(key) is str else key_text(jsonable(key, MAX_DEPTH))
