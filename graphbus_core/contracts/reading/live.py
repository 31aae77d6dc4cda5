"""A contract read from live annotations: what `static` does with source, for objects that exist already."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import json
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any

from graphbus_core.contracts.reading import forms, models
from graphbus_core.contracts.reading.forms import Schema
from graphbus_core.contracts.reading.jsonable import jsonable
from graphbus_core.errors import ContractError

MAX_DEPTH = 60
Key = tuple[int, tuple[int, ...]]  # a class, and what it is given for its type variables
_WORDS = {word: word for word in (*forms.NUMBER_WORDS, *forms.LENGTH_WORDS, "pattern", "description", "title")}
_WORDS["documentation"] = "description"


def schema_of(annotations: Any, *, sent: bool = False) -> Schema:
    """The JSON Schema of a mapping of names to types, or of a type. Raises ContractError where it is not data.

    `sent`: as whoever makes such a value sends it (a default is there, a model is serialized); else as it is taken.
    """
    reader = _Reader(sent)
    try:
        schema = reader.read(annotations, 0)
    except RecursionError:
        raise ContractError("the contract is nested too deeply to be read; give the inner part a name.") from None
    return {**schema, "$defs": reader.definitions} if reader.definitions else schema


class _Reader:
    def __init__(self, sent: bool) -> None:
        self._sent = sent
        self.definitions: dict[str, Schema] = {}
        self._open: dict[Key, str] = {}
        self._recursive: set[Key] = set()
        self._names: list[Mapping[str, Any]] = []
        self._bound: list[Mapping[Any, Any]] = [{}]  # what the type variables of the class being read stand for

    def read(self, at: Any, depth: int) -> Schema:
        return self.field(at, depth)[0]

    def field(self, at: Any, depth: int) -> tuple[Schema, bool | None]:
        """The schema of an annotation, and what it says of being required."""
        if depth > MAX_DEPTH:
            raise ContractError("the contract is nested too deeply to be read; give the inner part a name.")
        if isinstance(at, Mapping):
            rows = []
            for name, value in at.items():
                schema, wanted = self.field(value, depth + 1)
                rows.append((str(name), schema, wanted is not False))
            return forms.record(rows), None
        if at is None or at is type(None):
            return {"type": "null"}, None
        if isinstance(at, str):
            return self._text(at, depth)
        if isinstance(at, typing.TypeVar):
            return self._variable(at, depth), None
        if isinstance(at, typing.ForwardRef):
            return self._within(_module(at.__forward_module__), at.__forward_arg__, depth)
        if isinstance(at, list) and len(at) == 1:
            return forms.items(self.read(at[0], depth + 1)), None
        origin = typing.get_origin(at)
        if origin is not None:
            return self._generic(at, origin, typing.get_args(at), depth)
        value = getattr(at, "__value__", None) or getattr(at, "__supertype__", None)  # `type X = …`, NewType
        if value is not None:
            return self.field(value, depth + 1)
        if isinstance(at, type):
            return self._type(at, depth), None
        word = getattr(at, "__name__", None) or getattr(at, "_name", None) or str(at).rpartition(".")[2]
        return self._word(str(word), at), None

    def _variable(self, at: typing.TypeVar, depth: int) -> Schema:
        """What a type variable stands for in the class being read, else what it may stand for at all."""
        if at in self._bound[-1]:
            # Its own value is written in the words of the class outside.
            self._bound.append(self._bound[-2] if len(self._bound) > 1 else {})
            try:
                return self.read(self._bound[-2][at], depth + 1)
            finally:
                self._bound.pop()
        if at.__constraints__:
            return forms.union([self.read(c, depth + 1) for c in at.__constraints__])
        return {} if at.__bound__ is None else self.read(at.__bound__, depth + 1)

    def _within(self, names: Mapping[str, Any], at: Any, depth: int) -> tuple[Schema, bool | None]:
        """A hint read where it was written: with the names of that module first."""
        if not names:
            return self.field(at, depth)
        self._names.append({**(self._names[-1] if self._names else {}), **names})
        try:
            return self.field(at, depth)
        finally:
            self._names.pop()

    def _text(self, text: str, depth: int) -> tuple[Schema, bool | None]:
        for names in reversed(self._names):
            if text in names:
                return self.field(names[text], depth + 1)
        try:
            scope = {**vars(typing), **(self._names[-1] if self._names else {})}
            return self.field(eval(text, scope), depth + 1)  # the author's own annotation, as typing evaluates it
        except NameError as e:
            raise ContractError(f"the type {text!r} names something that is not known here: {e}.") from None
        except (SyntaxError, TypeError) as e:
            raise ContractError(f"{text!r} is not a type: {e}.") from None

    def _generic(self, at: Any, origin: Any, args: tuple[Any, ...], depth: int) -> tuple[Schema, bool | None]:
        name = getattr(origin, "__name__", None) or getattr(origin, "_name", None) or str(origin).rpartition(".")[2]
        if name in ("Required", "NotRequired"):
            return self.read(args[0], depth + 1), name == "Required"
        if origin is typing.Annotated:
            schema, wanted = self.field(args[0], depth + 1)
            for extra in args[1:]:
                schema = _metadata(schema, extra)
            return schema, wanted
        if origin is typing.Union or origin is types.UnionType:
            return forms.union([self.read(a, depth + 1) for a in args]), None
        if origin is typing.Literal:
            return forms.literal(_values(args, at)), None
        if name in forms.TRANSPARENT:
            return self.field(args[0], depth + 1)
        made = self._container(at, name, args, depth)
        if made is None:
            made = self._class_given(at, origin, args, depth)
        return made, None

    def _container(self, at: Any, name: str, args: tuple[Any, ...], depth: int) -> Schema | None:
        """The schema of `list[X]`, `dict[K, V]`, `tuple[A, B]` …; None for what is not a container of data."""
        if name in forms.TUPLES and not (len(args) == 2 and args[1] is ...):
            return self._tuple(at, args, depth)
        if name in forms.SEQUENCES or name in forms.TUPLES:
            return forms.items(self.read(args[0], depth + 1))
        if name in forms.SETS:
            return forms.unique(self.read(args[0], depth + 1))
        if name in forms.MAPPINGS:
            return forms.mapping(self.read(args[0], depth + 1), self.read(args[1], depth + 1))
        return None

    def _class_given(self, at: Any, origin: Any, args: tuple[Any, ...], depth: int) -> Schema:
        """A class with something for its type variables. Raises ContractError where it is not data."""
        if isinstance(origin, type) and _is_record(origin):
            return self._named(origin, depth, dict(zip(getattr(origin, "__parameters__", ()), args, strict=False)))
        if origin is type or origin is collections.abc.Callable:
            return forms.opaque(forms.CLASS if origin is type else "Callable")
        if isinstance(origin, type) and _is_foreign(origin):
            return _opaque(origin)
        raise ContractError(f"{at} is not data that a contract can hold; use a list, dict, TypedDict or dataclass.")

    def _tuple(self, at: Any, args: Sequence[Any], depth: int) -> Schema:
        members: list[Schema] = []
        for i, arg in enumerate(args):
            inner = typing.get_args(arg)
            if typing.get_origin(arg) is typing.Unpack:  # Unpack[tuple[…]], where `*tuple[…]` holds its own arguments
                inner = typing.get_args(inner[0])
            elif not getattr(arg, "__unpacked__", False):
                members.append(self.read(arg, depth + 1))
                continue
            if len(inner) == 2 and inner[1] is ... and i == len(args) - 1:
                return forms.fixed(members, self.read(inner[0], depth + 1))
            if not inner or ... in inner:
                raise ContractError(f"{at}: in a tuple, only the last part can be of any length.")
            members += [self.read(a, depth + 1) for a in inner]
        return forms.fixed(members)

    def _word(self, word: str, at: Any) -> Schema:
        if word == "Callable":
            return forms.opaque(word)
        if isinstance(at, type) and getattr(types, word.title() + "Type", None) is at:  # a module, a function, …
            return forms.opaque(f"builtins.{word}")
        if word in forms.PLAIN:
            return dict(forms.PLAIN[word])
        if word in forms.SEQUENCES or word in forms.TUPLES:
            return {"type": "array"}
        if word in forms.SETS:
            return {"type": "array", "uniqueItems": True}
        if word in forms.MAPPINGS:
            return {"type": "object"}
        raise ContractError(f"{at!r} is not data that a contract can hold; use a list, dict, TypedDict or dataclass.")

    def _type(self, at: type, depth: int) -> Schema:
        if issubclass(at, enum.Flag):
            return {"type": "integer"}  # its members combine: A | B is not a member
        if issubclass(at, enum.Enum):
            if not len(at):
                raise ContractError(f"{at.__name__} has no members: no value fits it.")
            return forms.literal(_values(list(at), at))
        if hasattr(at, "model_json_schema"):
            return self._pydantic(at)
        if _is_record(at):
            return self._named(at, depth, {})
        if at is type or f"{at.__module__}.{at.__qualname__}" in forms.CALLABLES:
            return forms.opaque(forms.CLASS if at is type else "Callable")
        if at.__name__ in forms.PLAIN or at.__module__ in ("builtins", "collections", "collections.abc", "typing"):
            return self._word(at.__name__, at)
        for known in at.__mro__[1:-1]:
            if known.__name__ in forms.PLAIN:
                return dict(forms.PLAIN[known.__name__])
        return _opaque(at)

    def _named(self, at: type, depth: int, given: Mapping[Any, Any]) -> Schema:
        """A class with fields; one that is met again within itself becomes a definition."""
        key = (id(at), tuple(id(given[v]) for v in given))
        # The key holds what the class was given: `Box[int]` within `Box[str]` is another class, not itself again.
        if key in self._open:
            self._recursive.add(key)
            return {"$ref": f"#/$defs/{self._open[key]}"}
        taken = {*self._open.values(), *self.definitions}
        name = at.__name__ if at.__name__ not in taken else f"{at.__name__}{len(taken) + 1}"
        self._open[key] = name
        # Its own name, too: a class within a function refers to itself by a name that its module does not hold.
        self._names.append({**_module(at.__module__), at.__name__: at})
        self._bound.append(_bindings(at, given))
        try:
            schema = self._class(at, depth)
        finally:
            del self._open[key]
            self._names.pop()
            self._bound.pop()
        if key not in self._recursive:
            return schema
        self.definitions[name] = schema
        return {"$ref": f"#/$defs/{name}"}

    def _class(self, at: type, depth: int) -> Schema:
        hints = {n: t for base in reversed(at.__mro__) for n, t in vars(base).get("__annotations__", {}).items()}
        if issubclass(at, tuple):
            return forms.fixed([self.read(hints[n], depth + 1) for n in at._fields])  # type: ignore[attr-defined]
        rows: list[tuple[str, Schema, bool]] = []
        if _is_typed_dict(at):
            for name, hint in at.__annotations__.items():
                schema, wanted = self.field(hint, depth + 1)
                rows.append((name, schema, name in getattr(at, "__required_keys__", ()) if wanted is None else wanted))
        else:
            for field in dataclasses.fields(at):  # type: ignore[arg-type]
                missing = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
                owner = next((b for b in at.__mro__ if field.name in vars(b).get("__annotations__", {})), at)
                names = _module(owner.__module__) if owner is not at else {}
                schema = self._within(names, field.type, depth + 1)[0]
                rows.append((field.name, schema, missing or self._sent))  # what has a default is always sent
        schema = forms.record(rows)
        text = vars(at).get("__doc__")
        generated = not text or text.startswith((f"{at.__name__}(", "dict("))
        return schema if generated else {**schema, "description": " ".join(str(text).split())}

    def _pydantic(self, at: Any) -> Schema:
        found, cleaned = models.read(at, {*self._open.values(), *self.definitions}, self.definitions, self._sent)
        self.definitions |= found
        return cleaned


def _is_typed_dict(at: type) -> bool:
    """Also one of `typing_extensions`, which is a class of its own on older Pythons."""
    return typing.is_typeddict(at) or (issubclass(at, dict) and hasattr(at, "__required_keys__"))


def _is_record(at: type) -> bool:
    """Whether a class is its fields: TypedDict, dataclass, NamedTuple."""
    named = issubclass(at, tuple) and hasattr(at, "_fields")
    return _is_typed_dict(at) or dataclasses.is_dataclass(at) or named


def _is_foreign(at: type) -> bool:
    return at.__module__.partition(".")[0] not in ("builtins", "collections", "typing", "types", "abc", "contextlib")


def _opaque(at: type) -> Schema:
    """A class that is nothing but its name: equal to itself, and known again at run time by that."""
    if not _is_foreign(at):
        raise ContractError(f"{at.__name__} is neither a TypedDict, a dataclass, an Enum nor a pydantic model.")
    return forms.opaque(f"{at.__module__}.{at.__qualname__}")


def _bindings(at: type, given: Mapping[Any, Any]) -> dict[Any, Any]:
    """What each type variable stands for in a class and its generic bases (`class IntBox(Box[int])`)."""
    bound = dict(given)
    for base in getattr(at, "__orig_bases__", ()):
        origin = typing.get_origin(base)
        if isinstance(origin, type) and origin is not typing.Generic:
            args = [bound.get(a, a) for a in typing.get_args(base)]
            inner = dict(zip(getattr(origin, "__parameters__", ()), args, strict=False))
            # A variable that a class passes on to its base under the same name keeps what the class was given.
            bound = {**_bindings(origin, {k: v for k, v in inner.items() if v is not k}), **bound}
    return bound


def _module(name: Any) -> Mapping[str, Any]:
    """What a module holds; nothing where it is not loaded."""
    return vars(sys.modules[name]) if isinstance(name, str) and name in sys.modules else {}


def _values(values: Sequence[Any], at: Any) -> list[Any]:
    """The values of a Literal or an Enum as JSON. Raises ContractError for one that has no JSON form."""
    made = [jsonable(v) for v in values]
    try:
        json.dumps(made, allow_nan=False)
    except (TypeError, ValueError):
        raise ContractError(
            f"{getattr(at, '__name__', at)} holds a value that has no JSON form; use text or numbers."
        ) from None
    return made


def _metadata(schema: Schema, extra: Any) -> Schema:
    if isinstance(extra, str):
        return {**schema, "description": extra}
    for item in getattr(extra, "metadata", ()) or ():  # pydantic's FieldInfo keeps its bounds in a list
        schema = _metadata(schema, item)
    word = forms.METADATA_WORDS.get(type(extra).__name__)
    if word is not None:
        return forms.constrain(schema, word, getattr(extra, word, None))
    for name, word in _WORDS.items():
        value = getattr(extra, name, None)
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            schema = forms.constrain(schema, word, value)
    return schema
