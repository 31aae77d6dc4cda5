"""What a function's hints declare where its decorator leaves a side out: live functions; `scan` does it with source.

The parameters are the fields of the input, the returned type is the output. Words that say nothing (`dict`, `Any`,
`None`) declare nothing: a contract that takes everything would only look like one. It knows no JSON Schema.
"""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

from graphbus_core import decorators

_EVENT = "Event"
_VAGUE = (None, type(None), Any, object, inspect.Parameter.empty)
_CONTAINERS = (dict, list, tuple, set, frozenset)
_NOT_NAMED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def read_declaration(function: Callable[..., Any], *, handler: bool = False, bound: bool = True) -> dict[str, Any]:
    """What `schema_method` recorded of a function, with hints where a side was left out.

    `handler`: it is given the payload of a topic, not named fields. `bound`: its first parameter is `self`.
    """
    record = dict(getattr(function, decorators.SCHEMA))
    for side in getattr(function, decorators.HINTED, ()):
        record[f"{side}_schema"] = (
            read_parameters(function, handler, bound) if side == "input" else read_return(function)
        )
    return record


def is_bound(cls: type, name: str) -> bool:
    """Whether the first parameter of a member is `self` or `cls`."""
    member = next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)
    return not isinstance(member, staticmethod)


def read_parameters(function: Callable[..., Any], handler: bool = False, bound: bool = True) -> dict[str, Any] | None:
    """The hinted parameters by name; None where no call by name has a contract here."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[1 if bound else 0 :]
    except (TypeError, ValueError):
        return None
    named_parameters = [p for p in parameters if p.kind not in _NOT_NAMED]
    hints = _evaluate_hints(function)
    if any(p.kind is p.POSITIONAL_ONLY for p in named_parameters) or not any(p.name in hints for p in named_parameters):
        return None
    if any(_read_last_name(hints.get(p.name)) == _EVENT for p in named_parameters) or (
        handler and len(named_parameters) != 1
    ):
        return None
    return {p.name: _build_field(hints.get(p.name, object), p.default) for p in named_parameters}


def read_return(function: Callable[..., Any]) -> Any:
    """The returned type, where it says something."""
    hint = _evaluate_hints(function).get("return")
    return None if is_vague(hint) else hint


def is_vague(hint: Any) -> bool:
    """Whether a hint says nothing of what is inside: `dict`, `list[Any]`, `Mapping[str, object]`, `None`."""
    if any(hint is part for part in _VAGUE):
        return True
    origin = typing.get_origin(hint)
    if origin is None:
        module = getattr(hint, "__module__", "")
        return (
            hint in _CONTAINERS or module in ("typing", "collections.abc") or getattr(hint, "_name", None) is not None
        )
    args = typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return all(is_vague(part) for part in args)
    if origin is typing.Annotated:
        return is_vague(args[0])
    is_container = isinstance(origin, type) and issubclass(origin, collections.abc.Iterable)
    if isinstance(origin, type) and issubclass(origin, collections.abc.Mapping):
        return args[0] in (str, Any, object) and is_vague(args[-1])
    return is_container and all(is_vague(part) and part is not type(None) for part in args if part is not ...)


def _build_field(hint: Any, default: Any) -> Any:
    if default is inspect.Parameter.empty:
        return hint
    if default is None and not isinstance(hint, str):
        hint = typing.Optional[hint]  # noqa: UP045  `x: str = None` is written often, and means it
    return typing.NotRequired[hint]


def _evaluate_hints(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The hints, evaluated; one that cannot be (its name is imported for type checkers only) is left out."""
    plain = inspect.unwrap(function)
    try:
        return typing.get_type_hints(plain, include_extras=True)
    except Exception:  # whatever evaluating the author's text raises
        raw_hints = getattr(plain, "__annotations__", {})
        return {name: hint for name, hint in raw_hints.items() if not isinstance(hint, str)}


def _read_last_name(hint: Any) -> str:
    text = hint if isinstance(hint, str) else getattr(hint, "__name__", "")
    return text.rpartition(".")[2]
