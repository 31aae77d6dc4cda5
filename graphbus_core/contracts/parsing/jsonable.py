"""Live Python values as the JSON that a contract speaks of: all at once, or one level where it is needed."""

from __future__ import annotations

import base64
import dataclasses
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

from graphbus_core.contracts.parsing.type_forms import CALLABLE, render_key

MAX_DEPTH = 200
JSON_TYPES: frozenset[type] = frozenset((str, int, float, bool, type(None), list, dict))

_FORMS_OF_ADDRESSES = (("Interface", "interface"), ("Network", "network"), ("Address", ""))
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
    (re.Pattern, "regex"),
)
# Classes of `ipaddress`, which most programs never load. An interface is an address, too: it goes first.
_ADDRESSES = {f"IPv{n}{kind}": f"ipv{n}{form}" for n in (4, 6) for kind, form in _FORMS_OF_ADDRESSES}


_PLAIN: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (str, str.__str__),
    (int, int),
    (float, float),
    ((list, tuple), list),
    ((set, frozenset), lambda value: sorted(value, key=repr)),
)


def find_format(value: Any) -> str | None:
    """The format that stands for the class of a live value, or None."""
    name = next((name for kind, name in _FORMATS if isinstance(value, kind)), None)
    return name if name is not None or type(value) in JSON_TYPES else _find_address_format(value)


def _find_address_format(value: Any) -> str | None:
    """The format of an address, a network or an interface of `ipaddress`."""
    kinds = [kind.__name__ for kind in type(value).__mro__ if kind.__module__ == "ipaddress"]
    return next((_ADDRESSES[name] for name in kinds if name in _ADDRESSES), None)


def list_class_names(value: Any) -> frozenset[str]:
    """The names under which a value's class may stand in a contract: its own, its bases', bare and with the package."""
    names = set()
    for kind in type(value).__mro__[:-1]:
        names |= {kind.__qualname__, f"{kind.__module__.partition('.')[0]}.{kind.__qualname__}"}
    if callable(value):
        names.add(CALLABLE)
    return frozenset(names)


def convert_level(value: Any) -> Any:
    """One level of a value as JSON: lists, objects and scalars of the exact types; parts within stay as they are.

    What has no JSON form comes back as it is.
    """
    if isinstance(value, Enum):
        return convert_level(value.value) if type(value.value) not in JSON_TYPES else value.value
    if isinstance(value, Mapping):
        return {_convert_key(k): v for k, v in value.items()}
    for kinds, convert in _PLAIN:
        if isinstance(value, kinds):
            return convert(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and not hasattr(value, "model_dump"):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if hasattr(value, "model_dump"):
        return serialize_model(value)
    if hasattr(value, "__attrs_attrs__") and not isinstance(value, type):
        return {a.name: getattr(value, a.name) for a in value.__attrs_attrs__}
    if is_struct(type(value)):
        return _convert_struct(value)
    return _convert_to_text(value)


def is_struct(cls: Any) -> bool:
    """Whether a class is a `msgspec.Struct`. Asked without msgspec, which most programs do not have."""
    return hasattr(cls, "__struct_fields__") and hasattr(cls, "__struct_config__")


def _convert_struct(value: Any) -> Any:
    """One level of a `msgspec.Struct`, as it is written."""
    config = value.__struct_config__
    values = [getattr(value, name) for name in value.__struct_fields__]
    if config.array_like:
        return values if config.tag is None else [config.tag, *values]
    tag = {} if config.tag is None else {config.tag_field: config.tag}
    return {**tag, **dict(zip(value.__struct_encode_fields__, values, strict=True))}


def convert_to_json(value: Any, depth: int = 0) -> Any:
    """The whole value with tuples as lists, dates as text, enums as their values, dataclasses and models as objects.

    What has no JSON form is left as it is; a validator then says so.
    """
    if value is None or type(value) in (str, int, float, bool) or depth > MAX_DEPTH:
        return value
    converted = convert_level(value) if type(value) is not list and type(value) is not dict else value
    if isinstance(converted, dict):
        return {_convert_key(k): convert_to_json(v, depth + 1) for k, v in converted.items()}
    return [convert_to_json(v, depth + 1) for v in converted] if isinstance(converted, list) else converted


def serialize_model(model: Any, declared: Mapping[str, Any] | None = None) -> Any:
    """A pydantic model under the names that a contract uses: those that it is written with where `declared` has them,
    else those that it is read with.
    """
    dumped_fields = model.model_dump(mode="json", by_alias=True)
    fields = getattr(type(model), "model_fields", None)
    if not isinstance(dumped_fields, dict) or not isinstance(fields, dict):
        return dumped_fields
    names = {}
    for name, field in fields.items():
        read = field.validation_alias if isinstance(field.validation_alias, str) else field.alias
        written_name = field.serialization_alias or name
        names[written_name] = written_name if declared is not None and written_name in declared else read or name
    return {names.get(k, k): v for k, v in dumped_fields.items()}


def _convert_to_text(value: Any) -> Any:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return f"{'-' if value < timedelta() else ''}PT{abs(value).total_seconds():.6f}S"
    if isinstance(value, Decimal | UUID | PurePath):
        return str(value)
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode()
    if isinstance(value, re.Pattern):
        return value.pattern
    return value if _find_address_format(value) is None else str(value)


def _convert_key(key: Any) -> Any:
    """A key as JSON writes it: text."""
    return key if type(key) is str else render_key(convert_to_json(key, MAX_DEPTH))
