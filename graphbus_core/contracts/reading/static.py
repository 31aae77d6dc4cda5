"""A contract read from source: an annotation expression or a dict literal, without importing anything.

`read` is given the expression and a way to look names up. What only an import can tell is answered with NeedsImport,
a value, so that the scanner can decide. Knows `ast`; runs no code.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from graphbus_core.contracts.reading import forms
from graphbus_core.contracts.reading.contract import Contract
from graphbus_core.contracts.reading.forms import Schema

# `resolve("Order")` or `resolve("shop.Order")`: the definition found for a name (a ClassDef, or the expression that the
# name stands for) and the resolve that holds where it was found; None where there is none.
Found: TypeAlias = "tuple[ast.AST, Resolve] | None"
Resolve: TypeAlias = Callable[[str], Any]

MAX_DEPTH = 60  # nested expressions and references; a contract deeper than this is not read


@dataclass(frozen=True, slots=True)
class NeedsImport:
    """Source alone does not tell: `expression` must be evaluated, because of `reason`."""

    reason: str
    expression: str = ""
    lineno: int = 0


def no_names(name: str) -> None:
    """A resolve that knows no names: only the words of standard typing can be read."""


def read(expr: ast.AST, resolve: Resolve = no_names) -> Contract | NeedsImport:
    """Read a contract from `{"sku": str}`, `Order`, `list[Order] | None` … as written in source."""
    reader = _Reader()
    try:
        schema = reader.read(expr, resolve, 0)
    except _Unread as e:
        return NeedsImport(e.reason, _text(e.at), getattr(e.at, "lineno", 0))
    except RecursionError:
        return NeedsImport("it is nested too deeply to be read", "", getattr(expr, "lineno", 0))
    if reader.definitions:
        schema = {**schema, "$defs": dict(reader.definitions)}
    return Contract(schema)


def read_text(text: str, resolve: Resolve = no_names) -> Contract | NeedsImport:
    """Read a contract from the text of an annotation, e.g. the `type` of a field operation."""
    try:
        return read(ast.parse(text.strip(), mode="eval").body, resolve)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return NeedsImport("it is not a Python expression", text)


class _Unread(Exception):
    def __init__(self, at: ast.AST, reason: str) -> None:
        super().__init__(reason)
        self.at, self.reason = at, reason


class _Reader:
    """One reading. Classes under way are remembered, so that a recursive one becomes a `$ref`."""

    def __init__(self) -> None:
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
            raise _Unread(at, "it is nested too deeply to be read")
        match at:
            case ast.Constant(value=None):
                return {"type": "null"}, None
            case ast.Constant(value=str() as text):
                try:
                    return self.field(ast.parse(text.strip(), mode="eval").body, resolve, depth + 1)
                except SyntaxError:
                    raise _Unread(at, f"{text!r} is not a type") from None
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
        raise _Unread(at, "it is not a type that can be read from source")

    def _record(self, at: ast.Dict, resolve: Resolve, depth: int) -> Schema:
        rows: list[tuple[str, Schema, bool]] = []
        for key, value in zip(at.keys, at.values, strict=True):
            if key is None:  # `**Other`: the fields of another contract
                other = self.read(value, resolve, depth + 1)
                if "properties" not in other:
                    raise _Unread(value, "`**` needs a contract with fields")
                required = set(other.get("required", ()))
                rows += [(n, s, n in required) for n, s in other["properties"].items()]
                continue
            name = self._constant(key, resolve, depth)
            if not isinstance(name, str):
                raise _Unread(key, "a field name must be a text literal")
            schema, wanted = self.field(value, resolve, depth + 1)
            rows.append((name, schema, wanted is not False))
        return forms.record(rows)

    def _name(self, at: ast.Name | ast.Attribute, resolve: Resolve, depth: int) -> tuple[Schema, bool | None]:
        name = _dotted(at)
        found = _lookup(resolve, name, at)
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
        raise _Unread(at, f"{name} was not found in the project")

    def _generic(self, at: ast.Subscript, resolve: Resolve, depth: int) -> tuple[Schema, bool | None]:
        name = self._word(at.value, resolve, depth)
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
            return forms.literal(self._literals(inner, resolve, depth)), None
        if name in forms.SEQUENCES:
            return forms.items(one()), None
        if name in forms.SETS:
            return forms.unique(one()), None
        if name in forms.MAPPINGS:
            return forms.mapping(one(0), one(1) if len(inner) > 1 else {}), None
        if name in forms.TUPLES:
            if len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is ...:
                return forms.items(one()), None
            members = [] if isinstance(at.slice, ast.Tuple) and not inner else inner
            for part in members:
                if isinstance(part, ast.Subscript) and self._word(part.value, resolve, depth) == "Unpack":
                    raise _Unread(at, "its unpacked tuple must be evaluated")
            return forms.fixed([self.read(i, resolve, depth + 1) for i in members]), None
        if name in ("type", "Type", "Callable", "ClassVar"):
            raise _Unread(at, f"{name} is not data")
        raise _Unread(at, f"the generic {name} is not one that can be read from source")

    def _call(self, at: ast.Call, resolve: Resolve, depth: int) -> Schema:
        name = self._word(at.func, resolve, depth)
        if name == "NewType" and len(at.args) == 2:
            return self.read(at.args[1], resolve, depth + 1)
        if name == "TypedDict" and len(at.args) == 2 and isinstance(at.args[1], ast.Dict):
            total = not any(k.arg == "total" and _is(k.value, False) for k in at.keywords)
            rows = []
            for key, value in zip(at.args[1].keys, at.args[1].values, strict=True):
                schema, wanted = self.field(value, resolve, depth + 1)
                rows.append((str(self._constant(key, resolve, depth)), schema, total if wanted is None else wanted))
            return forms.record(rows)
        if name in ("Enum", "StrEnum") and len(at.args) == 2:
            listed = self._constants_in(at.args[1], resolve, depth)
            return forms.literal([v.lower() if name == "StrEnum" else i for i, v in enumerate(listed, 1)])
        if name == "dict" and not at.args and all(k.arg for k in at.keywords):
            keys: list[ast.expr | None] = [ast.Constant(k.arg) for k in at.keywords]
            return self._record(ast.Dict(keys, [k.value for k in at.keywords]), resolve, depth)
        simple = {"conint": "integer", "confloat": "number", "constr": "string"}
        if name in simple:
            return self._words({"type": simple[name]}, at.keywords, resolve, depth)
        raise _Unread(at, f"a call of {name} must be evaluated")

    # ---- Annotated and Field

    def _metadata(self, schema: Schema, at: ast.expr, resolve: Resolve, depth: int) -> Schema:
        if isinstance(at, ast.Constant) and isinstance(at.value, str):
            return {**schema, "description": at.value}
        if not isinstance(at, ast.Call):
            return schema  # metadata that says nothing to JSON Schema
        name = self._word(at.func, resolve, depth)
        if name in forms.METADATA_WORDS:
            given = [*at.args, *(k.value for k in at.keywords)]
            return forms.constrain(schema, forms.METADATA_WORDS[name], self._constant(given[0], resolve, depth))
        if name == "Len":
            for word, value in zip(("min_length", "max_length"), at.args, strict=False):
                schema = forms.constrain(schema, word, self._constant(value, resolve, depth))
        if name == "Doc" and at.args:
            return {**schema, "description": self._constant(at.args[0], resolve, depth)}
        if name in ("Field", "Interval", "Len", "StringConstraints", "Query", "Body"):
            return self._words(schema, at.keywords, resolve, depth)
        return schema

    def _words(self, schema: Schema, words: Sequence[ast.keyword], resolve: Resolve, depth: int) -> Schema:
        known = {*forms.NUMBER_WORDS, *forms.LENGTH_WORDS, "pattern", "description", "title"}
        for word in words:
            name = "pattern" if word.arg == "regex" else word.arg
            if name in known:
                schema = forms.constrain(schema, name, self._constant(word.value, resolve, depth))
        return schema

    # ---- constants

    def _literals(self, inner: Sequence[ast.expr], resolve: Resolve, depth: int) -> list[Any]:
        values: list[Any] = []
        for at in inner:
            if isinstance(at, ast.Subscript):  # Literal[Literal["a"], "b"]
                deeper = list(at.slice.elts) if isinstance(at.slice, ast.Tuple) else [at.slice]
                found = self._literals(deeper, resolve, depth + 1)
            else:
                found = [self._constant(at, resolve, depth)]
            values += [v for v in found if not any(v == w and type(v) is type(w) for w in values)]
        return values

    def _constant(self, at: ast.AST | None, resolve: Resolve, depth: int) -> Any:
        match at:
            case ast.Constant(value=value) if value is None or isinstance(value, str | int | float | bool):
                return value
            case ast.UnaryOp(op=ast.USub()):
                value = self._constant(at.operand, resolve, depth)
                if isinstance(value, int | float):
                    return -value
            case ast.BinOp(op=ast.Pow() | ast.Mult() | ast.Add() | ast.Sub()):
                return self._arithmetic(at, resolve, depth)
            case ast.Call(func=ast.Name(id="Decimal"), args=[one]):
                return float(self._constant(one, resolve, depth))
            case ast.Name() | ast.Attribute() if depth < MAX_DEPTH:
                return self._named_constant(at, resolve, depth)
        raise _Unread(at or ast.Constant(None), "it is not a constant that can be read from source")

    def _arithmetic(self, at: ast.BinOp, resolve: Resolve, depth: int) -> int | float:
        left, right = (self._constant(s, resolve, depth + 1) for s in (at.left, at.right))
        small = isinstance(left, int | float) and isinstance(right, int | float) and abs(left) <= 1e9
        if small and isinstance(at.op, ast.Pow) and 0 <= right <= 20:
            return left**right  # type: ignore[no-any-return]
        if small and not isinstance(at.op, ast.Pow):
            made = {ast.Mult: left * right, ast.Add: left + right, ast.Sub: left - right}
            return made[type(at.op)]  # type: ignore[no-any-return]
        raise _Unread(at, "its value must be evaluated")

    def _named_constant(self, at: ast.Name | ast.Attribute, resolve: Resolve, depth: int) -> Any:
        if isinstance(at, ast.Attribute):  # Color.RED, Color.RED.value
            owner = at.value if at.attr != "value" else None
            if at.attr == "value":
                return self._constant(at.value, resolve, depth + 1)
            found = _lookup(resolve, _dotted(owner), at) if isinstance(owner, ast.Name | ast.Attribute) else None
            if found and isinstance(found[0], ast.ClassDef):
                members = self._members(found[0], found[1], depth)
                if at.attr in members:
                    return members[at.attr]
        found = _lookup(resolve, _dotted(at), at)
        if found is None or isinstance(found[0], ast.ClassDef):
            raise _Unread(at, f"{_dotted(at)} is not a constant found in the project")
        node = found[0].value if isinstance(found[0], ast.Assign | ast.AnnAssign) else found[0]
        return self._constant(node, found[1], depth + 1)

    def _constants_in(self, at: ast.expr, resolve: Resolve, depth: int) -> list[str]:
        if isinstance(at, ast.List | ast.Tuple):
            return [str(self._constant(e, resolve, depth)) for e in at.elts]
        return str(self._constant(at, resolve, depth)).replace(",", " ").split()

    def _word(self, at: ast.AST, resolve: Resolve, depth: int) -> str:
        """The last segment of a name, seen through `import typing as t` and `from typing import Literal as L`."""
        name = _dotted(at)
        found = _lookup(resolve, name, at)
        if found is not None and isinstance(found[0], ast.Name | ast.Attribute) and depth < MAX_DEPTH:
            return self._word(found[0], found[1], depth + 1)
        return name.rpartition(".")[2]

    # ---- classes

    def _class(self, at: ast.ClassDef, resolve: Resolve, depth: int) -> Schema:
        if id(at) in self._open:
            self._recursive.add(id(at))
            return {"$ref": f"#/$defs/{self._open[id(at)]}"}
        taken = {*self._open.values(), *self.definitions}
        name = at.name if at.name not in taken else f"{at.name}{len(taken) + 1}"
        self._open[id(at)] = name
        try:
            schema = self._class_body(at, resolve, depth)
        finally:
            del self._open[id(at)]
        if id(at) not in self._recursive:
            return schema
        self.definitions[name] = schema
        return {"$ref": f"#/$defs/{name}"}

    def _class_body(self, at: ast.ClassDef, resolve: Resolve, depth: int) -> Schema:
        kind = self._kind(at, resolve, depth)
        if kind == "flag":
            return {"type": "integer"}  # its members combine: A | B is no member
        if kind == "enum":
            members = self._members(at, resolve, depth)
            if not members:
                raise _Unread(at, f"the Enum {at.name} has no members that can be read from source")
            return forms.literal(list(members.values()))
        if kind is None:
            raise _Unread(at, f"{at.name} is neither a TypedDict, a dataclass, an Enum nor a pydantic model")
        rows: dict[str, tuple[Schema, bool]] = {}
        extra = self._collect(at, resolve, depth, kind, rows)
        if kind == "namedtuple":
            return forms.fixed([s for s, _ in rows.values()])
        schema = forms.record(((n, s, r) for n, (s, r) in rows.items()), extra=extra)
        described = ast.get_docstring(at)
        return {**schema, "description": described} if described else schema

    def _kind(self, at: ast.ClassDef, resolve: Resolve, depth: int) -> str | None:
        for decorator in at.decorator_list:
            target = decorator.func if isinstance(decorator, ast.Call) else decorator
            if self._word(target, resolve, depth) in ("dataclass", "define", "frozen", "attrs"):
                return "dataclass"
        for base in at.bases:
            if isinstance(base, ast.Subscript):
                base = base.value
            if not isinstance(base, ast.Name | ast.Attribute):
                continue
            word = self._word(base, resolve, depth)
            if word == "TypedDict":
                return "typeddict"
            if word == "NamedTuple":
                return "namedtuple"
            if word in ("BaseModel", "RootModel", "SQLModel", "BaseSettings"):
                return "pydantic"
            if word in ("Flag", "IntFlag"):
                return "flag"
            if word in ("Enum", "IntEnum", "StrEnum"):
                return "enum"
            found = _lookup(resolve, _dotted(base), base)
            if found and isinstance(found[0], ast.ClassDef) and depth < MAX_DEPTH:
                kind = self._kind(found[0], found[1], depth + 1)
                if kind and kind != "dataclass":  # a plain subclass of a dataclass adds no fields, yet has them
                    return kind
                if kind == "dataclass":
                    return "dataclass"
        return None

    def _collect(
        self,
        at: ast.ClassDef,
        resolve: Resolve,
        depth: int,
        kind: str,
        rows: dict[str, tuple[Schema, bool]],
    ) -> bool | None:
        """Fill `rows` with the fields of the class and of its bases; returns what the class says of extra fields."""
        extra: bool | None = None
        for base in reversed(at.bases):
            if isinstance(base, ast.Subscript):
                raise _Unread(at, f"{at.name} is generic")
            found = _lookup(resolve, _dotted(base), base)
            if found and isinstance(found[0], ast.ClassDef) and depth < MAX_DEPTH:
                inherited = self._collect(found[0], found[1], depth + 1, kind, rows)
                extra = inherited if inherited is not None else extra
        total = not any(k.arg == "total" and _is(k.value, False) for k in at.keywords)
        for k in at.keywords:
            if k.arg == "extra":
                extra = _extra(k.value, extra)
            if k.arg == "alias_generator":
                raise _Unread(at, f"{at.name} makes the names of its fields")
        for line in at.body:
            if kind == "pydantic" and _generates_names(line):
                raise _Unread(at, f"{at.name} makes the names of its fields")
            if isinstance(line, ast.Assign) and kind == "pydantic" and isinstance(line.value, ast.Call | ast.Dict):
                extra = _config(line, extra)
            if not isinstance(line, ast.AnnAssign) or not isinstance(line.target, ast.Name):
                continue
            name = line.target.id
            written = line.annotation.value if isinstance(line.annotation, ast.Subscript) else line.annotation
            if _dotted(written).rpartition(".")[2] in ("ClassVar", "InitVar", "KW_ONLY"):  # none is a field
                continue
            if kind == "pydantic" and (name.startswith("_") or name == "model_config"):
                extra = _config(line, extra) if name == "model_config" else extra
                continue
            if kind == "pydantic" and self._says_more(line.annotation, resolve, depth):
                raise _Unread(at, f"the alias or default in the annotation of {at.name}.{name} must be evaluated")
            schema, wanted = self.field(line.annotation, resolve, depth + 1)
            if kind == "typeddict":
                rows[name] = (schema, total if wanted is None else wanted)
            else:
                required, name, schema = self._default(line, name, schema, resolve, depth)
                rows[name] = (schema, required)
        return extra

    def _default(
        self, line: ast.AnnAssign, name: str, schema: Schema, resolve: Resolve, depth: int
    ) -> tuple[bool, str, Schema]:
        """Whether a dataclass or pydantic field must be given, its name in the data, and its schema."""
        value = line.value
        if value is None:
            return True, name, schema
        if isinstance(value, ast.Call) and self._word(value.func, resolve, depth) in ("Field", "field", "ib"):
            words = {k.arg: k.value for k in value.keywords}
            given = words.get("validation_alias") or words.get("alias")  # the name under which pydantic reads it
            if given is not None:
                name = str(self._constant(given, resolve, depth))
            schema = self._words(schema, value.keywords, resolve, depth)
            first = value.args[0] if value.args else words.get("default")
            absent = first is None or (isinstance(first, ast.Constant) and first.value is ...)
            return absent and "default_factory" not in words, name, schema
        if isinstance(value, ast.Constant) and value.value is ...:
            return True, name, schema
        return False, name, schema

    def _says_more(self, at: ast.expr, resolve: Resolve, depth: int) -> bool:
        """Whether a `Field(…)` in the annotation itself says what only pydantic knows how to weigh."""
        if not isinstance(at, ast.Subscript) or self._word(at.value, resolve, depth) != "Annotated":
            return False
        extras = at.slice.elts[1:] if isinstance(at.slice, ast.Tuple) else []
        return any(
            isinstance(e, ast.Call)
            and self._word(e.func, resolve, depth) == "Field"
            and (bool(e.args) or any(k.arg in _NAMING for k in e.keywords))
            for e in extras
        )

    def _is_text(self, at: ast.ClassDef, resolve: Resolve, depth: int) -> bool:
        """Whether an Enum is a StrEnum, itself or by a base."""
        for base in at.bases:
            if isinstance(base, ast.Name | ast.Attribute):
                if self._word(base, resolve, depth) == "StrEnum":
                    return True
                found = _lookup(resolve, _dotted(base), base)
                inner = found is not None and isinstance(found[0], ast.ClassDef) and depth < MAX_DEPTH
                if inner and found is not None and self._is_text(found[0], found[1], depth + 1):  # type: ignore[arg-type]
                    return True
        return False

    def _members(self, at: ast.ClassDef, resolve: Resolve, depth: int) -> dict[str, Any]:
        """The members of an Enum: name -> value."""
        members: dict[str, Any] = {}
        text = self._is_text(at, resolve, depth)
        last = 0
        for line in at.body:
            target = line.targets[0] if isinstance(line, ast.Assign) else getattr(line, "target", None)
            if not isinstance(line, ast.Assign | ast.AnnAssign) or not isinstance(target, ast.Name):
                continue
            name = target.id
            if name.startswith("_") or line.value is None:
                continue
            if isinstance(line.value, ast.Call) and _dotted(line.value.func).rpartition(".")[2] == "auto":
                members[name] = name.lower() if text else last + 1
            else:
                members[name] = self._constant(line.value, resolve, depth)
            last = members[name] if isinstance(members[name], int) else last
        return members


def _lookup(resolve: Resolve, name: str, at: ast.AST) -> tuple[ast.AST, Resolve] | None:
    found = resolve(name) if name else None
    if found is None:
        return None
    node, inner = found if isinstance(found, tuple) else (found, resolve)
    same = isinstance(node, ast.Name | ast.Attribute) and _dotted(node) == name and inner is resolve
    return None if node is at or same else (node, inner)


def _dotted(at: ast.AST | None) -> str:
    if isinstance(at, ast.Name):
        return at.id
    if isinstance(at, ast.Attribute):
        head = _dotted(at.value)
        return f"{head}.{at.attr}" if head else at.attr
    return ""


def _is(at: ast.AST, value: object) -> bool:
    return isinstance(at, ast.Constant) and at.value is value


def _extra(at: ast.AST, before: bool | None) -> bool | None:
    known = {"forbid": False, "allow": True, "ignore": None}
    text = at.value if isinstance(at, ast.Constant) else getattr(at, "attr", None)
    return known.get(str(text), before)


_NAMING = frozenset({"alias", "validation_alias", "default", "default_factory"})


def _generates_names(line: ast.stmt) -> bool:
    """Whether a line of a pydantic model, its `model_config` or `class Config`, has a function make the names."""
    if isinstance(line, ast.ClassDef):
        return line.name == "Config" and any("alias_generator" in ast.dump(inner) for inner in line.body)
    if not isinstance(line, ast.Assign | ast.AnnAssign) or line.value is None:
        return False
    target = line.targets[0] if isinstance(line, ast.Assign) else line.target
    return isinstance(target, ast.Name) and target.id == "model_config" and "alias_generator" in ast.dump(line.value)


def _config(line: ast.Assign | ast.AnnAssign, before: bool | None) -> bool | None:
    """What `model_config = ConfigDict(extra="forbid")` says of extra fields."""
    target = line.targets[0] if isinstance(line, ast.Assign) else line.target
    if not (isinstance(target, ast.Name) and target.id == "model_config"):
        return before
    if isinstance(line.value, ast.Call):
        pairs: list[tuple[Any, ast.expr]] = [(k.arg, k.value) for k in line.value.keywords]
    elif isinstance(line.value, ast.Dict):
        pairs = [(getattr(k, "value", None), v) for k, v in zip(line.value.keys, line.value.values, strict=True)]
    else:
        return before
    return next((_extra(v, before) for k, v in pairs if k == "extra"), before)


def _text(at: ast.AST) -> str:
    try:
        return at.name if isinstance(at, ast.ClassDef) else ast.unparse(at)
    except (ValueError, RecursionError, AttributeError):
        return ""
