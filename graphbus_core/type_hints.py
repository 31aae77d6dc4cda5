"""What a function's hints declare where its decorator leaves a side out: live functions; `scan` does it with source.

The parameters are the fields of the input, the returned type is the output; of a handler, the hint of the parameter
that takes the payload is the contract of the payload. Words that say nothing (`dict`, `Any`, `None`) declare nothing:
a contract that takes everything would only look like one. It knows no JSON Schema.
"""

from __future__ import annotations

import collections.abc
import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

from graphbus_core import decorators
from graphbus_core.model.handler_form import Form, HandlerParameter, Hint, choose_form
from graphbus_core.model.message import Event

_EVENT = "Event"
_WORD = re.compile(r"[A-Za-z_][\w.]*")
_MAPPING = re.compile(r"^(typing\.|t\.|collections\.abc\.|abc\.)?(dict|Dict|Mapping|MutableMapping)\b")
_VAGUE = (None, type(None), Any, object, inspect.Parameter.empty)
_CONTAINERS = (dict, list, tuple, set, frozenset)
_NOT_NAMED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def read_declaration(function: Callable[..., Any], *, handler: bool = False, bound: bool = True) -> dict[str, Any]:
    """What `schema_method` recorded of a function, with hints where a side was left out.

    `handler`: it is given the payload of a topic, so that it has a contract without `schema_method` too, and
    `payload_parameter` names the parameter whose hint that is. `bound`: its first parameter is `self`.
    """
    blank = {"input_schema": None, "output_schema": None, "description": None}
    declared = hasattr(function, decorators.SCHEMA)
    record = dict(getattr(function, decorators.SCHEMA, blank))
    hinted = getattr(function, decorators.HINTED, ("input",) if handler and not declared else ())
    for side in hinted:
        if side == "output":
            record["output_schema"] = read_return(function)
        elif handler:
            name, hint = read_payload(function, bound)
            record |= {"input_schema": hint} | ({"payload_parameter": name} if name is not None else {})
        else:
            record["input_schema"] = read_parameters(function, bound)
    return record


def read_payload(function: Callable[..., Any], bound: bool = True) -> tuple[str | None, Any]:
    """The parameter of a handler that takes the payload, and its hint; None and None where no hint says anything."""
    try:
        parameters = list_handler_parameters(function, bound)
    except (TypeError, ValueError):
        return None, None
    choice = choose_form(parameters, alone=Form.PAYLOAD)
    parameter = next((p for p in parameters if p.name == choice.payload), None)
    hint = _evaluate_hints(function).get(choice.payload or "")
    if parameter is None or parameter.hint in (Hint.NONE, Hint.EVENT) or _is_any_mapping(hint):
        return None, None
    return choice.payload, hint


def list_handler_parameters(function: Callable[..., Any], bound: bool = False) -> list[HandlerParameter]:
    """The parameters of a live function, as `choose_form` wants them. Raises TypeError or ValueError where nobody can
    tell. `bound`: its first parameter is `self`, which no bound method shows."""
    plain = inspect.unwrap(getattr(function, "__func__", function))
    names = getattr(plain, "__globals__", {})
    return [
        HandlerParameter(
            p.name,
            p.kind.name.lower(),
            p.default is p.empty,
            classify_hint(p.annotation, names),
            p.annotation in (str, "str"),
        )
        for p in list(inspect.signature(function).parameters.values())[1 if bound else 0 :]
    ]


def classify_hint(annotation: Any, names: Mapping[str, Any]) -> Hint:
    """What an annotation speaks of. One that was kept as text is looked up in `names`, its module's."""
    if annotation is inspect.Parameter.empty:
        return Hint.NONE
    if isinstance(annotation, str):
        text = annotation.strip("'\" ")
        annotation = _look_up(text, names)
        if annotation is None or isinstance(annotation, str):
            return _classify_text(text, names)
    if annotation is Any or annotation is object:
        return Hint.NONE
    if _is_event(annotation):
        return Hint.EVENT
    return Hint.MAPPING if _is_mapping(annotation) else Hint.OTHER


def _classify_text(text: str, names: Mapping[str, Any]) -> Hint:
    """The same of a text that is more than a name (`Order | None`), or whose name nobody imported."""
    for word in _WORD.findall(text):
        value = _look_up(word, names)
        if _is_event(value) if value is not None else word.rpartition(".")[2] == _EVENT:
            return Hint.EVENT
    if text.rpartition(".")[2] in ("Any", "object"):
        return Hint.NONE
    return Hint.MAPPING if _MAPPING.match(text) else Hint.OTHER


def _look_up(name: str, names: Mapping[str, Any]) -> Any:
    head, *rest = name.split(".")
    value = names.get(head)
    for attribute in rest:
        value = getattr(value, attribute, None)
    return value


def _is_event(annotation: Any) -> bool:
    if isinstance(annotation, type) and not typing.get_args(annotation):
        return issubclass(annotation, Event)
    return any(_is_event(part) for part in typing.get_args(annotation) if part is not type(None))


def _is_mapping(annotation: Any) -> bool:
    kind = typing.get_origin(annotation) or annotation
    return isinstance(kind, type) and (
        typing.is_typeddict(kind) or (kind is not object and issubclass(kind, collections.abc.Mapping))
    )


def is_bound(cls: type, name: str) -> bool:
    """Whether the first parameter of a member is `self` or `cls`."""
    member = next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)
    return not isinstance(member, staticmethod)


def read_parameters(function: Callable[..., Any], bound: bool = True) -> dict[str, Any] | None:
    """The hinted parameters by name; None where no call by name has a contract here."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[1 if bound else 0 :]
    except (TypeError, ValueError):
        return None
    named_parameters = [p for p in parameters if p.kind not in _NOT_NAMED]
    hints = _evaluate_hints(function)
    if any(p.kind is p.POSITIONAL_ONLY for p in named_parameters) or not any(p.name in hints for p in named_parameters):
        return None
    if any(_read_last_name(hints.get(p.name)) == _EVENT for p in named_parameters):
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


def _is_any_mapping(hint: Any) -> bool:
    """Whether a hint says nothing of a payload, which is a dict: what takes a list alone says a lot."""
    origin = typing.get_origin(hint) or hint
    if origin in (typing.Union, types.UnionType):
        return all(_is_any_mapping(part) for part in typing.get_args(hint) if part is not type(None))
    is_class = isinstance(origin, type) and origin is not object
    return is_vague(hint) and not (is_class and not issubclass(origin, collections.abc.Mapping))


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
