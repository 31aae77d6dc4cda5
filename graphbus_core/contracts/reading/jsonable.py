"""Live Python values as the JSON that a contract speaks of."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

from graphbus_core.contracts.reading.forms import key_text

MAX_DEPTH = 200


def jsonable(value: Any, depth: int = 0) -> Any:
    """The value with tuples as lists, dates as text, enums as their values, dataclasses and models as objects.

    What has no JSON form is left as it is; a validator then says so.
    """
    if value is None or type(value) in (str, int, float, bool) or depth > MAX_DEPTH:
        return value
    if isinstance(value, Enum):
        return jsonable(value.value, depth + 1)
    if isinstance(value, Mapping):
        return {_key(k): jsonable(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(v, depth + 1) for v in value]
    if isinstance(value, set | frozenset):
        return [jsonable(v, depth + 1) for v in sorted(value, key=repr)]
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return f"{'-' if value < timedelta() else ''}PT{abs(value).total_seconds():.6f}S"
    if isinstance(value, Decimal | UUID | PurePath):
        return str(value)
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode()
    if hasattr(value, "model_dump"):
        return _dumped(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: jsonable(getattr(value, f.name), depth + 1) for f in dataclasses.fields(value)}
    return value


def _key(key: Any) -> Any:
    """A key as JSON writes it: text."""
    return key if type(key) is str else key_text(jsonable(key, MAX_DEPTH))


def _dumped(model: Any) -> Any:
    """A pydantic model under the names that its contract uses: those under which it is read (its aliases)."""
    made = model.model_dump(mode="json", by_alias=True)
    fields = getattr(type(model), "model_fields", None)
    if not isinstance(made, dict) or not isinstance(fields, dict):
        return made
    names = {}
    for name, field in fields.items():
        read = field.validation_alias if isinstance(field.validation_alias, str) else field.alias
        names[field.serialization_alias or name] = read or name
    return {names.get(k, k): v for k, v in made.items()}
