"""A contract read from live annotations: what `static` does with source, for objects that exist already."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import json
import sys
import types
import typing
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from graphbus_core.contracts.parsing import type_forms
from graphbus_core.contracts.parsing.json_schema import map_subschemas
from graphbus_core.contracts.parsing.jsonable import convert_to_json, is_struct
from graphbus_core.contracts.parsing.type_forms import Schema
from graphbus_core.errors import ContractError

# pydantic models as contracts: pydantic's own JSON Schema, of what is sent or of what is taken.


def read_model(
    model: Any, used_names: Collection[str], known_definitions: Mapping[str, Schema], sent: bool
) -> tuple[dict[str, Schema], Schema]:
    """The definitions of a model and its schema. A name of `taken` that means another class gets a number."""
    try:
        generated: Schema = model.model_json_schema(
            mode="serialization" if sent else "validation", schema_generator=_build_generator()
        )
    except Exception as e:
        raise ContractError(f"pydantic gives no JSON Schema for {model.__name__}: {e}") from None
    definitions: dict[str, Schema] = {name: _strip_titles(s) for name, s in generated.pop("$defs", {}).items()}
    cleaned: Schema = _strip_titles(generated)
    if any(n in used_names and not _is_same_schema(known_definitions.get(n), s) for n, s in definitions.items()):
        # Two classes of one name, from two modules: each keeps its own definition.
        names: dict[str, str] = {}
        used = set(used_names)
        for name in definitions:
            number = 2
            while (fresh := f"{name}{number}") in used or fresh in definitions:
                number += 1
            used.add(fresh)
            names[f"#/$defs/{name}"] = f"#/$defs/{fresh}"
        definitions = {
            names[f"#/$defs/{n}"].rpartition("/")[2]: _rename_references(s, names) for n, s in definitions.items()
        }
        cleaned = _rename_references(cleaned, names)
    return definitions, cleaned


@lru_cache(1)
def _build_generator() -> type:
    """pydantic's generator, to which a field with a default is always there once the model is sent."""
    from pydantic.json_schema import GenerateJsonSchema

    class SentSchemaGenerator(GenerateJsonSchema):
        def field_is_required(self, field: Any, total: bool) -> bool:
            if self.mode == "serialization" and field["type"] in ("model-field", "dataclass-field"):
                return not field.get("serialization_exclude")
            return bool(super().field_is_required(field, total))

    return SentSchemaGenerator


def _is_same_schema(schema: Any, other: Any) -> bool:
    return json.dumps(schema, sort_keys=True, default=repr) == json.dumps(other, sort_keys=True, default=repr)


def _rename_references(schema: Any, names: Mapping[str, str]) -> Any:
    """With its references, and those of its discriminator, led to the new names."""
    if not isinstance(schema, dict):
        return schema
    renamed = map_subschemas(schema, lambda subschema: _rename_references(subschema, names))
    if isinstance(renamed.get("$ref"), str):
        renamed = {**renamed, "$ref": names.get(renamed["$ref"], renamed["$ref"])}
    table = renamed.get("discriminator")
    if isinstance(table, dict) and isinstance(table.get("mapping"), dict):
        mapping = {k: names.get(v, v) if isinstance(v, str) else v for k, v in table["mapping"].items()}
        renamed = {**renamed, "discriminator": {**table, "mapping": mapping}}
    return renamed


def _strip_titles(schema: Any) -> Any:
    """Without the titles that pydantic derives from names: they say nothing, and would make every diff noisy."""
    if not isinstance(schema, dict):
        return schema
    untitled: Schema = map_subschemas(schema, _strip_titles)
    return {k: v for k, v in untitled.items() if not (k == "title" and isinstance(v, str))}


MAX_DEPTH = 60
Key = tuple[int, tuple[int, ...]]  # a class, and what it is given for its type variables
_WORDS = {
    word: word for word in (*type_forms.NUMBER_WORDS, *type_forms.LENGTH_WORDS, "pattern", "description", "title")
}
_WORDS["documentation"] = "description"


def read_schema(annotations: Any, *, sent: bool = False) -> Schema:
    """The JSON Schema of a mapping of names to types, or of a type. Raises ContractError where it is not data.

    `sent`: as whoever makes such a value sends it (a default is there, a model is serialized); else as it is taken.
    """
    reader = _Reader(sent)
    try:
        schema = reader.read_type(annotations, 0)
    except RecursionError:
        raise ContractError("the contract is nested too deeply to be read; give the inner part a name.") from None
    return {**schema, "$defs": reader.definitions} if reader.definitions else schema


class _Reader:
    def __init__(self, sent: bool) -> None:
        self._sent = sent
        self.definitions: dict[str, Schema] = {}
        self._open: dict[Key, str] = {}
        self._recursive: set[Key] = set()
        self._held: list[Any] = []
        self._names: list[Mapping[str, Any]] = []
        self._bound: list[Mapping[Any, Any]] = [{}]  # what the type variables of the class being read stand for

    def read_type(self, hint: Any, depth: int) -> Schema:
        return self.read_field(hint, depth)[0]

    def read_field(self, hint: Any, depth: int) -> tuple[Schema, bool | None]:
        """The schema of an annotation, and what it says of being required."""
        if depth > MAX_DEPTH:
            raise ContractError("the contract is nested too deeply to be read; give the inner part a name.")
        if isinstance(hint, Mapping):
            rows = []
            for name, value in hint.items():
                schema, is_required = self.read_field(value, depth + 1)
                rows.append((str(name), schema, is_required is not False))
            return type_forms.build_object(rows), None
        if hint is None or hint is type(None):
            return {"type": "null"}, None
        if isinstance(hint, str):
            return self._read_text(hint, depth)
        if isinstance(hint, typing.TypeVar):
            return self._read_type_variable(hint, depth), None
        if isinstance(hint, typing.ForwardRef):
            return self._read_with_names(_find_module_names(hint.__forward_module__), hint.__forward_arg__, depth)
        if isinstance(hint, list) and len(hint) == 1:
            return type_forms.build_array(self.read_type(hint[0], depth + 1)), None
        if _is_alias(hint):  # `type X = …`
            return self._read_alias(hint, (), depth)
        origin = typing.get_origin(hint)
        if _is_alias(origin):
            return self._read_alias(origin, typing.get_args(hint), depth)
        if origin is not None:
            return self._read_generic(hint, origin, typing.get_args(hint), depth)
        value = getattr(hint, "__supertype__", None)  # NewType
        if value is not None:
            return self.read_field(value, depth + 1)
        if isinstance(hint, type):
            return self._read_plain_type(hint, depth), None
        word = getattr(hint, "__name__", None) or getattr(hint, "_name", None) or str(hint).rpartition(".")[2]
        return self._read_word(str(word), hint), None

    def _read_type_variable(self, variable: typing.TypeVar, depth: int) -> Schema:
        """What a type variable stands for in the class being read, else what it may stand for at all."""
        if variable in self._bound[-1]:
            # Its own value is written in the words of the class outside.
            self._bound.append(self._bound[-2] if len(self._bound) > 1 else {})
            try:
                return self.read_type(self._bound[-2][variable], depth + 1)
            finally:
                self._bound.pop()
        has_default = getattr(variable, "has_default", None)  # PEP 696: of 3.13, or of typing_extensions
        if has_default is not None and has_default():
            return self.read_type(variable.__default__, depth + 1)  # type: ignore[attr-defined]
        if variable.__constraints__:
            return type_forms.build_union([self.read_type(c, depth + 1) for c in variable.__constraints__])
        return {} if variable.__bound__ is None else self.read_type(variable.__bound__, depth + 1)

    def _read_alias(self, alias: Any, args: tuple[Any, ...], depth: int) -> tuple[Schema, bool | None]:
        """What an alias stands for, with something for its type variables; one that mentions itself is a definition."""
        values = tuple(self._bound[-1].get(a, a) if isinstance(a, typing.TypeVar) else a for a in args)
        self._held.append(values)  # their ids stay their own
        key = (id(alias), tuple(map(id, values)))
        if key in self._open:
            self._recursive.add(key)
            return {"$ref": f"#/$defs/{self._open[key]}"}, None
        name = self._name_definition(alias.__name__)
        self._open[key] = name
        self._names.append({**_find_module_names(alias.__module__), alias.__name__: alias})
        self._bound.append(dict(zip(alias.__type_params__, values, strict=False)))
        try:
            schema, is_required = self.read_field(alias.__value__, depth + 1)
        finally:
            del self._open[key]
            self._names.pop()
            self._bound.pop()
        if key not in self._recursive:
            return schema, is_required
        self.definitions[name] = schema
        return {"$ref": f"#/$defs/{name}"}, is_required

    def _name_definition(self, name: str) -> str:
        used_names = {*self._open.values(), *self.definitions}
        return name if name not in used_names else f"{name}{len(used_names) + 1}"

    def _read_with_names(self, names: Mapping[str, Any], hint: Any, depth: int) -> tuple[Schema, bool | None]:
        """A hint read where it was written: with the names of that module first."""
        if not names:
            return self.read_field(hint, depth)
        self._names.append({**(self._names[-1] if self._names else {}), **names})
        try:
            return self.read_field(hint, depth)
        finally:
            self._names.pop()

    def _read_text(self, text: str, depth: int) -> tuple[Schema, bool | None]:
        for names in reversed(self._names):
            if text in names:
                return self.read_field(names[text], depth + 1)
        try:
            scope = {**vars(typing), **(self._names[-1] if self._names else {})}
            return self.read_field(eval(text, scope), depth + 1)  # the author's own annotation, as typing evaluates it
        except NameError as e:
            raise ContractError(f"the type {text!r} names something that is not known here: {e}.") from None
        except (SyntaxError, TypeError) as e:
            raise ContractError(f"{text!r} is not a type: {e}.") from None

    def _read_generic(self, hint: Any, origin: Any, args: tuple[Any, ...], depth: int) -> tuple[Schema, bool | None]:
        name = getattr(origin, "__name__", None) or getattr(origin, "_name", None) or str(origin).rpartition(".")[2]
        if name in ("Required", "NotRequired"):
            return self.read_type(args[0], depth + 1), name == "Required"
        if origin is typing.Annotated:
            schema, is_required = self.read_field(args[0], depth + 1)
            for extra in args[1:]:
                schema = _apply_metadata(schema, extra)
            return schema, is_required
        if origin is typing.Union or origin is types.UnionType:
            tags = [getattr(getattr(a, "__struct_config__", None), "tag_field", None) for a in args]
            members = [self.read_type(a, depth + 1) for a in args]
            if sum(tag is not None for tag in tags) > 1:  # each must have its tag, which is what tells them apart
                members = [
                    m if t is None else type_forms.require_field(m, t) for m, t in zip(members, tags, strict=True)
                ]
            return type_forms.build_union(members), None
        if origin is typing.Literal:
            return type_forms.build_literal(_convert_values(args, hint)), None
        if name in type_forms.TRANSPARENT:
            return self.read_field(args[0], depth + 1)
        if name in type_forms.PARAMETRIZED:
            return dict(type_forms.PLAIN[name]), None
        result = self._read_container(hint, name, args, depth)
        if result is None:
            result = self._read_generic_class(hint, origin, args, depth)
        return result, None

    def _read_container(self, hint: Any, name: str, args: tuple[Any, ...], depth: int) -> Schema | None:
        """The schema of `list[X]`, `dict[K, V]`, `tuple[A, B]` …; None for what is not a container of data."""
        if name in type_forms.TUPLES and not (len(args) == 2 and args[1] is ...):
            return self._read_tuple(hint, args, depth)
        if name in type_forms.SEQUENCES or name in type_forms.TUPLES:
            return type_forms.build_array(self.read_type(args[0], depth + 1))
        if name in type_forms.SETS:
            return type_forms.build_set(self.read_type(args[0], depth + 1))
        if name == "Counter":
            return type_forms.build_mapping(self.read_type(args[0], depth + 1), {"type": "integer"})
        if name in type_forms.MAPPINGS:
            return type_forms.build_mapping(self.read_type(args[0], depth + 1), self.read_type(args[1], depth + 1))
        return None

    def _read_generic_class(self, hint: Any, origin: Any, args: tuple[Any, ...], depth: int) -> Schema:
        """A class with something for its type variables. Raises ContractError where it is not data."""
        if isinstance(origin, type) and _is_record(origin):
            return self._read_record(
                origin, depth, dict(zip(getattr(origin, "__parameters__", ()), args, strict=False))
            )
        if origin is type or origin is collections.abc.Callable:
            return type_forms.build_opaque(type_forms.CLASS if origin is type else "Callable")
        if isinstance(origin, type) and _is_foreign(origin):
            return _build_opaque(origin)
        raise ContractError(f"{hint} is not data that a contract can hold; use a list, dict, TypedDict or dataclass.")

    def _read_tuple(self, hint: Any, args: Sequence[Any], depth: int) -> Schema:
        members: list[Schema] = []
        for i, arg in enumerate(args):
            inner = typing.get_args(arg)
            if _is_unpack(typing.get_origin(arg)):  # Unpack[tuple[…]], where `*tuple[…]` holds its own arguments
                inner = typing.get_args(inner[0])
            elif not getattr(arg, "__unpacked__", False):
                members.append(self.read_type(arg, depth + 1))
                continue
            if len(inner) == 2 and inner[1] is ... and i == len(args) - 1:
                return type_forms.build_tuple(members, self.read_type(inner[0], depth + 1))
            if not inner or ... in inner:
                raise ContractError(f"{hint}: in a tuple, only the last part can be of any length.")
            members += [self.read_type(a, depth + 1) for a in inner]
        return type_forms.build_tuple(members)

    def _read_word(self, word: str, hint: Any) -> Schema:
        if word == "Callable":
            return type_forms.build_opaque(word)
        if isinstance(hint, type) and getattr(types, word.title() + "Type", None) is hint:  # a module, a function, …
            return type_forms.build_opaque(f"builtins.{word}")
        if word in type_forms.PLAIN:
            return dict(type_forms.PLAIN[word])
        if word in type_forms.SEQUENCES or word in type_forms.TUPLES:
            return {"type": "array"}
        if word in type_forms.SETS:
            return {"type": "array", "uniqueItems": True}
        if word == "Counter":
            return type_forms.build_mapping({}, {"type": "integer"})
        if word in type_forms.MAPPINGS:
            return {"type": "object"}
        if word == "Self" and self._open:
            key = next(reversed(self._open))
            self._recursive.add(key)
            return {"$ref": f"#/$defs/{self._open[key]}"}
        raise ContractError(f"{hint!r} is not data that a contract can hold; use a list, dict, TypedDict or dataclass.")

    def _read_plain_type(self, cls: type, depth: int) -> Schema:
        if issubclass(cls, enum.Flag):
            return {"type": "integer"}  # its members combine: A | B is not a member
        if issubclass(cls, enum.Enum):
            if not len(cls):
                raise ContractError(f"{cls.__name__} has no members: no value fits it.")
            return type_forms.build_literal(_convert_values(list(cls), cls))
        if hasattr(cls, "model_json_schema"):
            return self._read_pydantic(cls)
        if _is_record(cls):
            return self._read_record(cls, depth, {})
        if cls is type or f"{cls.__module__}.{cls.__qualname__}" in type_forms.CALLABLES:
            return type_forms.build_opaque(type_forms.CLASS if cls is type else "Callable")
        if cls.__name__ in type_forms.PLAIN or cls.__module__ in (
            "builtins",
            "collections",
            "collections.abc",
            "typing",
        ):
            return self._read_word(cls.__name__, cls)
        for base in cls.__mro__[1:-1]:
            if base.__name__ in type_forms.PLAIN:
                return dict(type_forms.PLAIN[base.__name__])
        return _build_opaque(cls)

    def _read_record(self, cls: type, depth: int, arguments: Mapping[Any, Any]) -> Schema:
        """A class with fields; one that is met again within itself becomes a definition."""
        key = (id(cls), tuple(id(arguments[v]) for v in arguments))
        # The key holds what the class was given: `Box[int]` within `Box[str]` is another class, not itself again.
        if key in self._open:
            self._recursive.add(key)
            return {"$ref": f"#/$defs/{self._open[key]}"}
        name = self._name_definition(cls.__name__)
        self._open[key] = name
        # Its own name, too: a class within a function refers to itself by a name that its module does not hold.
        self._names.append({**_find_module_names(cls.__module__), cls.__name__: cls})
        self._bound.append(_bind_type_variables(cls, arguments))
        try:
            schema = self._read_class(cls, depth)
        finally:
            del self._open[key]
            self._names.pop()
            self._bound.pop()
        if key not in self._recursive:
            return schema
        self.definitions[name] = schema
        return {"$ref": f"#/$defs/{name}"}

    def _read_class(self, cls: type, depth: int) -> Schema:
        hints = {n: t for base in reversed(cls.__mro__) for n, t in vars(base).get("__annotations__", {}).items()}
        if issubclass(cls, tuple):
            return type_forms.build_tuple([self.read_type(hints[n], depth + 1) for n in cls._fields])  # type: ignore[attr-defined]
        rows: list[tuple[str, Schema, bool]] = []
        if _is_typed_dict(cls):
            for name, hint in cls.__annotations__.items():
                schema, is_required = self.read_field(hint, depth + 1)
                rows.append(
                    (
                        name,
                        schema,
                        name in getattr(cls, "__required_keys__", ()) if is_required is None else is_required,
                    )
                )
        elif is_struct(cls):
            return self._read_struct(cls, depth)
        else:
            for name, hint, needed in _list_fields(cls, sent=self._sent):
                owner = next((b for b in cls.__mro__ if name in vars(b).get("__annotations__", {})), cls)
                names = _find_module_names(owner.__module__) if owner is not cls else {}
                schema = self._read_with_names(names, hint, depth + 1)[0]
                rows.append((name, schema, needed))
        schema = type_forms.build_object(rows)
        if _is_typed_dict(cls):
            schema = {**schema, **self._read_further_items(cls, depth)}
        text = vars(cls).get("__doc__")
        generated = not text or text.startswith((f"{cls.__name__}(", "dict("))
        return schema if generated else {**schema, "description": " ".join(str(text).split())}

    def _read_struct(self, cls: Any, depth: int) -> Schema:
        """A `msgspec.Struct`, under the names and in the form that it is written with."""
        from msgspec.structs import fields

        config = cls.__struct_config__
        always = self._sent and not config.omit_defaults  # what has a default is sent as well
        rows = [(f.encode_name, self.read_type(f.type, depth + 1), f.required or always) for f in fields(cls)]
        if config.tag is not None:  # one type alone is taken without its tag
            rows.insert(0, (config.tag_field, {"const": config.tag}, self._sent or config.array_like))
        if config.array_like:
            schema: Schema = {"type": "array", "prefixItems": [part for _, part, _ in rows]}
            if needed := sum(is_needed for *_, is_needed in rows):
                schema["minItems"] = needed
            return {**schema, "items": False} if self._sent or config.forbid_unknown_fields else schema
        schema = type_forms.build_object(rows)
        return {**schema, "additionalProperties": False} if config.forbid_unknown_fields else schema

    def _read_further_items(self, cls: type, depth: int) -> Schema:
        """What a TypedDict says of keys that it does not name (PEP 728)."""
        further = getattr(cls, "__extra_items__", None)
        if getattr(cls, "__closed__", None) is True or further is typing.Never:
            return {"additionalProperties": False}
        is_stated = further is not None and "NoExtraItems" not in repr(further)
        return {"additionalProperties": self.read_type(further, depth + 1)} if is_stated else {}

    def _read_pydantic(self, model: Any) -> Schema:
        definitions, cleaned = read_model(
            model, {*self._open.values(), *self.definitions}, self.definitions, self._sent
        )
        self.definitions |= definitions
        return cleaned


def _is_unpack(origin: Any) -> bool:
    """Also that of `typing_extensions`, which is one of its own on older Pythons."""
    return origin is typing.Unpack or getattr(origin, "_name", "") == "Unpack"


def _is_typed_dict(cls: type) -> bool:
    """Also one of `typing_extensions`, which is a class of its own on older Pythons."""
    return typing.is_typeddict(cls) or (issubclass(cls, dict) and hasattr(cls, "__required_keys__"))


def _is_record(cls: type) -> bool:
    """Whether a class is its fields: TypedDict, dataclass, NamedTuple, a class of attrs, `msgspec.Struct`."""
    is_named_tuple = issubclass(cls, tuple) and hasattr(cls, "_fields")
    is_described = dataclasses.is_dataclass(cls) or hasattr(cls, "__attrs_attrs__") or is_struct(cls)
    return _is_typed_dict(cls) or is_described or is_named_tuple


def _is_alias(hint: Any) -> bool:
    """A `type X = …`, also one of `typing_extensions`, which is a class of its own on older Pythons."""
    return type(hint).__name__ == "TypeAliasType"


def _list_fields(cls: Any, *, sent: bool) -> Iterator[tuple[str, Any, bool]]:
    """The fields of a dataclass or a class of attrs: name, type, and whether it is there (a default is always sent)."""
    if hasattr(cls, "__attrs_attrs__"):
        for attribute in cls.__attrs_attrs__:
            if attribute.init or sent:
                is_needed = sent or repr(attribute.default) == "NOTHING"
                yield attribute.name, Any if attribute.type is None else attribute.type, is_needed
        return
    for field in dataclasses.fields(cls):
        missing = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        yield field.name, field.type, missing or sent
    for asked in [] if sent else cls.__dataclass_fields__.values():  # it is asked for, and not kept
        if isinstance(asked.type, dataclasses.InitVar):
            yield asked.name, asked.type.type, asked.default is dataclasses.MISSING


def _is_foreign(cls: type) -> bool:
    return cls.__module__.partition(".")[0] not in ("builtins", "collections", "typing", "types", "abc", "contextlib")


def _build_opaque(cls: type) -> Schema:
    """A class that is nothing but its name: equal to itself, and known again at run time by that."""
    if not _is_foreign(cls):
        raise ContractError(f"{cls.__name__} is neither a TypedDict, a dataclass, an Enum nor a pydantic model.")
    return type_forms.build_opaque(f"{cls.__module__}.{cls.__qualname__}")


def _bind_type_variables(cls: type, arguments: Mapping[Any, Any]) -> dict[Any, Any]:
    """What each type variable stands for in a class and its generic bases (`class IntBox(Box[int])`)."""
    bound = dict(arguments)
    for base in getattr(cls, "__orig_bases__", ()):
        origin = typing.get_origin(base)
        if isinstance(origin, type) and origin is not typing.Generic:
            args = [bound.get(a, a) for a in typing.get_args(base)]
            inner = dict(zip(getattr(origin, "__parameters__", ()), args, strict=False))
            # A variable that a class passes on to its base under the same name keeps what the class was given.
            bound = {**_bind_type_variables(origin, {k: v for k, v in inner.items() if v is not k}), **bound}
    return bound


def _find_module_names(name: Any) -> Mapping[str, Any]:
    """What a module holds; nothing where it is not loaded."""
    return vars(sys.modules[name]) if isinstance(name, str) and name in sys.modules else {}


def _convert_values(values: Sequence[Any], owner: Any) -> list[Any]:
    """The values of a Literal or an Enum as JSON. Raises ContractError for one that has no JSON form."""
    converted = [convert_to_json(v) for v in values]
    try:
        json.dumps(converted, allow_nan=False)
    except (TypeError, ValueError):
        raise ContractError(
            f"{getattr(owner, '__name__', owner)} holds a value that has no JSON form; use text or numbers."
        ) from None
    return converted


def _apply_metadata(schema: Schema, extra: Any) -> Schema:
    if isinstance(extra, str):
        return {**schema, "description": extra}
    for item in getattr(extra, "metadata", ()) or ():  # pydantic's FieldInfo keeps its bounds in a list
        schema = _apply_metadata(schema, item)
    word = type_forms.METADATA_WORDS.get(type(extra).__name__)
    if word is not None:
        return type_forms.add_constraint(schema, word, getattr(extra, word, None))
    for name, word in _WORDS.items():
        value = getattr(extra, name, None)
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            schema = type_forms.add_constraint(schema, word, value)
    return schema
