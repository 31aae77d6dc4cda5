"""A contract read from source: an annotation expression or a dict literal, without importing anything.

`read` is given the expression and a way to look names up. What only an import can tell is answered with NeedsImport,
a value, so that the scanner can decide. Knows `ast`; runs no code.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from graphbus_core.contracts.reading import forms
from graphbus_core.contracts.reading.contract import Contract
from graphbus_core.contracts.reading.forms import Schema
from graphbus_core.contracts.reading.source.classes import Classes, is_value
from graphbus_core.contracts.reading.source.constants import constant, constants_in, literals
from graphbus_core.contracts.reading.source.names import (
    MAX_DEPTH,
    Found,
    Resolve,
    Unread,
    dotted,
    imported,
    lookup,
    no_names,
    word,
)

__all__ = ["Found", "NeedsImport", "Resolve", "no_names", "read", "read_text"]

_CONSTRAINED = {"conint": "integer", "confloat": "number", "constr": "string"}  # of pydantic; the rest are its words


@dataclass(frozen=True, slots=True)
class NeedsImport:
    """Source alone does not tell: `expression` must be evaluated, because of `reason`."""

    reason: str
    expression: str = ""
    lineno: int = 0


def read(expr: ast.AST, resolve: Resolve = no_names, *, side: str | None = None) -> Contract | NeedsImport:
    """Read a contract from `{"sku": str}`, `Order`, `list[Order] | None` … as written in source.

    `side="output"` reads it as its producer sends it: a field with a default is there, a pydantic model is serialized.
    """
    reader = _Reader(sent=side == "output")
    try:
        schema = reader.read(expr, resolve, 0)
    except Unread as e:
        return NeedsImport(e.reason, text_of(e.at), getattr(e.at, "lineno", 0))
    except RecursionError:
        return NeedsImport("it is nested too deeply to be read", "", getattr(expr, "lineno", 0))
    if reader.definitions:
        schema = {**schema, "$defs": dict(reader.definitions)}
    return Contract(schema)


def read_text(text: str, resolve: Resolve = no_names, *, side: str | None = None) -> Contract | NeedsImport:
    """Read a contract from the text of an annotation, e.g. the `type` of a field operation."""
    try:
        return read(ast.parse(text.strip(), mode="eval").body, resolve, side=side)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return NeedsImport("it is not a Python expression", text)


class _Reader:
    """One reading. Classes under way are remembered, so that a recursive one becomes a `$ref`."""

    def __init__(self, *, sent: bool) -> None:
        self._classes = Classes(self.field, self._words, sent=sent)
        self.definitions: dict[str, Schema] = {}
        self._open: dict[int, str] = {}  # id of a ClassDef being read -> its name
        self._recursive: set[int] = set()

    # ---- expressions

    def read(self, at: ast.AST, resolve: Resolve, depth: int) -> Schema:
        schema, _ = self.field(at, resolve, depth)
        return schema

    def field(self, at: ast.AST, resolve: Resolve, depth: int) -> tuple[Schema, bool | None]:
        """The schema of an expression, and True/False where it says Required/NotRequired, else None."""
        if depth > MAX_DEPTH:
            raise Unread(at, "it is nested too deeply to be read")
        match at:
            case ast.Constant(value=None):
                return {"type": "null"}, None
            case ast.Constant(value=str() as text):
                try:
                    return self.field(ast.parse(text.strip(), mode="eval").body, resolve, depth + 1)
                except SyntaxError:
                    raise Unread(at, f"{text!r} is not a type") from None
            case ast.Dict():
                return self._record(at, resolve, depth), None
            case ast.BinOp(op=ast.BitOr()):
                sides = [at.left, at.right]
                return forms.union([self.read(s, resolve, depth + 1) for s in sides]), None
            case ast.Name() | ast.Attribute():
                return self._name(at, resolve, depth)
            case ast.Subscript():
                return self._generic(at, resolve, depth)
            case ast.Call():
                return self._call(at, resolve, depth), None
            case ast.List(elts=[one]):  # `[str]`: a common shorthand for list[str]
                return forms.items(self.read(one, resolve, depth + 1)), None
            case ast.ClassDef():
                return self._class(at, resolve, depth), None
            case ast.Assign() | ast.AnnAssign() if at.value is not None:
                return self.field(at.value, resolve, depth + 1)
        if isinstance(at, getattr(ast, "TypeAlias", ())):
            return self.field(at.value, resolve, depth + 1)  # type: ignore[attr-defined]
        raise Unread(at, "it is not a type that can be read from source")

    def _record(self, at: ast.Dict, resolve: Resolve, depth: int) -> Schema:
        rows: list[tuple[str, Schema, bool]] = []
        for key, value in zip(at.keys, at.values, strict=True):
            if key is None:  # `**Other`: the fields of another contract
                other = self.read(value, resolve, depth + 1)
                if "properties" not in other:
                    raise Unread(value, "`**` needs a contract with fields")
                required = set(other.get("required", ()))
                rows += [(n, s, n in required) for n, s in other["properties"].items()]
                continue
            name = constant(key, resolve, depth)
            if not isinstance(name, str):
                raise Unread(key, "a field name must be a text literal")
            schema, wanted = self.field(value, resolve, depth + 1)
            rows.append((name, schema, wanted is not False))
        return forms.record(rows)

    def _name(self, at: ast.Name | ast.Attribute, resolve: Resolve, depth: int) -> tuple[Schema, bool | None]:
        name = dotted(at)
        found = lookup(resolve, name, at)
        if found is not None:
            return self.field(found[0], found[1], depth + 1)
        last = name.rpartition(".")[2]
        if last in forms.PLAIN:
            return dict(forms.PLAIN[last]), None
        if last in forms.SEQUENCES or last in forms.TUPLES:
            return {"type": "array"}, None
        if last in forms.SETS:
            return {"type": "array", "uniqueItems": True}, None
        if last in forms.MAPPINGS:
            return {"type": "object"}, None
        foreign = imported(resolve, name)
        if foreign is not None:
            return forms.opaque(foreign), None
        if name in ("type", "Type", "Callable"):
            return forms.opaque(forms.CLASS if name != "Callable" else name), None
        raise Unread(at, f"{name} was not found in the project")

    def _generic(self, at: ast.Subscript, resolve: Resolve, depth: int) -> tuple[Schema, bool | None]:
        name = word(at.value, resolve, depth)
        inner = list(at.slice.elts) if isinstance(at.slice, ast.Tuple) else [at.slice]

        def one(i: int = 0) -> Schema:
            return self.read(inner[i], resolve, depth + 1)

        if name in ("Required", "NotRequired"):
            return one(), name == "Required"
        if name == "Annotated":
            schema, wanted = self.field(inner[0], resolve, depth + 1)
            for extra in inner[1:]:
                schema = self._metadata(schema, extra, resolve, depth)
            return schema, wanted
        if name in forms.TRANSPARENT:
            return self.field(inner[0], resolve, depth + 1)
        if name == "Optional":
            return forms.union([one(), {"type": "null"}]), None
        if name == "Union":
            return forms.union([self.read(i, resolve, depth + 1) for i in inner]), None
        if name == "Literal":
            return forms.literal(literals(inner, resolve, depth)), None
        if name == "ClassVar":
            raise Unread(at, f"{name} is not data")
        if name in ("type", "Type", "Callable"):
            return forms.opaque(forms.CLASS if name != "Callable" else name), None
        foreign = imported(resolve, dotted(at.value))
        container = self._container(at, name, inner, resolve, depth)
        if container is None and foreign is None:
            raise Unread(at, f"the generic {name} is not one that can be read from source")
        return container if container is not None else forms.opaque(str(foreign)), None

    def _container(
        self, at: ast.Subscript, name: str, inner: list[ast.expr], resolve: Resolve, depth: int
    ) -> Schema | None:
        """The schema of `list[X]`, `dict[K, V]`, `tuple[A, B]` …; None for what is not a container of data."""

        def one(i: int = 0) -> Schema:
            return self.read(inner[i], resolve, depth + 1)

        if name in forms.SEQUENCES:
            return forms.items(one())
        if name in forms.SETS:
            return forms.unique(one())
        if name in forms.MAPPINGS:
            return forms.mapping(one(0), one(1) if len(inner) > 1 else {})
        if name not in forms.TUPLES:
            return None
        if len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is ...:
            return forms.items(one())
        for part in inner:
            if isinstance(part, ast.Subscript) and word(part.value, resolve, depth) == "Unpack":
                raise Unread(at, "its unpacked tuple must be evaluated")
        return forms.fixed([self.read(i, resolve, depth + 1) for i in inner])

    def _call(self, at: ast.Call, resolve: Resolve, depth: int) -> Schema:
        """A type that is made by a call. Only those are read of which the call itself says everything."""
        name = word(at.func, resolve, depth)
        match name, at.args:
            case "NewType", [_, of]:
                return self.read(of, resolve, depth + 1)
            case "TypedDict", [_, ast.Dict() as fields]:
                return self._typed_dict(fields, at.keywords, resolve, depth)
            case "Enum" | "StrEnum", [_, members]:
                listed = constants_in(members, resolve, depth)
                return forms.literal([v.lower() if name == "StrEnum" else i for i, v in enumerate(listed, 1)])
            case "dict", [] if all(k.arg for k in at.keywords):
                keys: list[ast.expr | None] = [ast.Constant(k.arg) for k in at.keywords]
                return self._record(ast.Dict(keys, [k.value for k in at.keywords]), resolve, depth)
        if name in _CONSTRAINED:
            return self._words({"type": _CONSTRAINED[name]}, at.keywords, resolve, depth)
        raise Unread(at, f"a call of {name} must be evaluated")

    def _typed_dict(self, fields: ast.Dict, keywords: Sequence[ast.keyword], resolve: Resolve, depth: int) -> Schema:
        total = not any(k.arg == "total" and is_value(k.value, False) for k in keywords)
        rows = []
        for key, value in zip(fields.keys, fields.values, strict=True):
            schema, wanted = self.field(value, resolve, depth + 1)
            rows.append((str(constant(key, resolve, depth)), schema, total if wanted is None else wanted))
        return forms.record(rows)

    # ---- Annotated and Field

    def _metadata(self, schema: Schema, at: ast.expr, resolve: Resolve, depth: int) -> Schema:
        if isinstance(at, ast.Constant) and isinstance(at.value, str):
            return {**schema, "description": at.value}
        if not isinstance(at, ast.Call):
            return schema  # metadata that says nothing to JSON Schema
        name = word(at.func, resolve, depth)
        if name in forms.METADATA_WORDS:
            given = [*at.args, *(k.value for k in at.keywords)]
            return forms.constrain(schema, forms.METADATA_WORDS[name], constant(given[0], resolve, depth))
        if name == "Len":
            for bound, value in zip(("min_length", "max_length"), at.args, strict=False):
                schema = forms.constrain(schema, bound, constant(value, resolve, depth))
        if name == "Doc" and at.args:
            return {**schema, "description": constant(at.args[0], resolve, depth)}
        if name in ("Field", "Interval", "Len", "StringConstraints", "Query", "Body"):
            return self._words(schema, at.keywords, resolve, depth)
        return schema

    def _words(self, schema: Schema, words: Sequence[ast.keyword], resolve: Resolve, depth: int) -> Schema:
        known = {*forms.NUMBER_WORDS, *forms.LENGTH_WORDS, "pattern", "description", "title"}
        for given in words:
            name = "pattern" if given.arg == "regex" else given.arg
            if name in known:
                schema = forms.constrain(schema, name, constant(given.value, resolve, depth))
        return schema

    # ---- classes

    def _class(self, at: ast.ClassDef, resolve: Resolve, depth: int) -> Schema:
        if id(at) in self._open:
            self._recursive.add(id(at))
            return {"$ref": f"#/$defs/{self._open[id(at)]}"}
        taken = {*self._open.values(), *self.definitions}
        name = at.name if at.name not in taken else f"{at.name}{len(taken) + 1}"
        self._open[id(at)] = name
        try:
            schema = self._classes.body(at, resolve, depth)
        finally:
            del self._open[id(at)]
        if id(at) not in self._recursive:
            return schema
        self.definitions[name] = schema
        return {"$ref": f"#/$defs/{name}"}


def text_of(at: ast.AST) -> str:
    try:
        return at.name if isinstance(at, ast.ClassDef) else ast.unparse(at)
    except (ValueError, RecursionError, AttributeError):
        return ""
