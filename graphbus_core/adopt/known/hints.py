"""A written type -> a shape. Names are looked up as the file means them."""

from __future__ import annotations

import ast

from graphbus_core.adopt.known.code import Sources
from graphbus_core.adopt.known.shapes import (
    ANY,
    NONE,
    UNKNOWN,
    Field as KeyedField,
    Keyed,
    Made,
    Many,
    Mapped,
    Plain,
    Row,
    Shape,
    either,
)
from graphbus_core.build.understand.annotations import parsed
from graphbus_core.build.understand.index import Code, Index, Outside, Type

MAX_DEPTH = 12
LISTS = {"list": "list", "List": "list", "set": "set", "Set": "set", "frozenset": "frozenset", "FrozenSet": "frozenset"}
LISTS |= {n: n for n in ("Iterable", "Iterator", "Sequence", "Collection", "MutableSequence", "AbstractSet", "deque")}
LISTS |= {n: n for n in ("AsyncIterator", "AsyncIterable", "Generator", "AsyncGenerator")}
MAPS = {"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "DefaultDict"}
INSIDE = {"Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly", "Awaitable", "Optional"}
PLAIN = {"str", "int", "float", "bool", "bytes", "object", "complex", "bytearray", "type", "range", "memoryview"}


class Hints:
    """Reads annotations of files."""

    def __init__(self, index: Index, sources: Sources) -> None:
        self.index, self.sources = index, sources

    def shape(self, path: str, annotation: str | ast.expr, depth: int = 0) -> Shape:
        """What a value of this written type is; UNKNOWN where that cannot be read."""
        at = parsed(annotation) if isinstance(annotation, str) else annotation
        if at is None or depth > MAX_DEPTH:
            return UNKNOWN
        match at:
            case ast.Constant(value=None):
                return NONE
            case ast.Constant(value=str() as text):
                return self.shape(path, text, depth + 1)
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                return either((self.shape(path, left, depth + 1), self.shape(path, right, depth + 1)))
            case ast.Name() | ast.Attribute():
                return self._named(path, ast.unparse(at), depth)
            case ast.Subscript(value=value, slice=inner):
                return self._generic(path, value, inner, depth + 1)
        return UNKNOWN

    def _named(self, path: str, name: str, depth: int) -> Shape:
        last = name.rpartition(".")[2]
        found = self.index.dotted(path, name)
        match found:
            case Type(path=at, name=cls):
                return self.of_class(at, cls, depth)
            case Code() if found.name[:1].isupper():
                return Plain(last)
            case Outside(name=dotted):
                last = dotted.rpartition(".")[2]
        if last in LISTS:
            return Many(LISTS[last], UNKNOWN)
        if last in MAPS:
            return Mapped(UNKNOWN, UNKNOWN)
        if last in ("tuple", "Tuple"):
            return Many("tuple", UNKNOWN)
        if last == "None":
            return NONE
        return ANY if last == "Any" else Plain(last)

    def of_class(self, path: str, name: str, depth: int = 0) -> Shape:
        """An object of a class of the project; a TypedDict is its keys."""
        if not self.is_typed_dict(path, name) or depth > MAX_DEPTH:
            return Made(path, name)
        fields: dict[str, KeyedField] = {}
        for where, cls in reversed([*self.index.classes(path, name)]):
            written = self.sources.cls(where, cls.name)
            total = written is None or not any(
                k.arg == "total" and isinstance(k.value, ast.Constant) and k.value.value is False
                for k in written.keywords
            )
            for key, hint in cls.hints.items():
                word = hint.partition("[")[0].rpartition(".")[2]
                required = word != "NotRequired" and (total or word == "Required")
                fields[key] = KeyedField(key, self.shape(where, hint, depth + 1), required)
        return Keyed(tuple(fields.values()))

    def is_typed_dict(self, path: str, name: str) -> bool:
        """Whether a class is a TypedDict, by itself or by a base."""
        bases = (base for _, cls in self.index.classes(path, name) for base in cls.bases)
        return any(base.rpartition(".")[2] == "TypedDict" for base in bases)

    def _generic(self, path: str, value: ast.expr, inner: ast.expr, depth: int) -> Shape:
        word = getattr(value, "id", getattr(value, "attr", ""))
        parts = list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]
        if word == "Optional":
            return either((self.shape(path, parts[0], depth), NONE))
        if word == "Union":
            return either(self.shape(path, part, depth) for part in parts)
        if word in INSIDE and parts:
            return self.shape(path, parts[0], depth)
        if word == "Coroutine" and len(parts) == 3:
            return self.shape(path, parts[2], depth)
        if word == "Literal":
            return Plain(ast.unparse(ast.Subscript(ast.Name("Literal"), inner)).replace("'", '"'))
        if word in ("tuple", "Tuple"):
            if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is ...:
                return Many("tuple", self.shape(path, parts[0], depth))
            return Row(tuple(self.shape(path, part, depth) for part in parts))
        if word in LISTS and parts:
            return Many(LISTS[word], self.shape(path, parts[0], depth))
        if word in MAPS and len(parts) == 2:
            return Mapped(self.shape(path, parts[0], depth), self.shape(path, parts[1], depth))
        base = self.shape(path, value, depth)
        return Plain(base.name) if isinstance(base, Plain) else base
