"""Classes as they stand in source: TypedDict, dataclass, NamedTuple, Enum and pydantic model.

What only running the class would tell (names that are generated, a serializer of its own) is `Unread`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from graphbus_core.contracts.reading import forms
from graphbus_core.contracts.reading.forms import Schema
from graphbus_core.contracts.reading.source.constants import constant, members
from graphbus_core.contracts.reading.source.names import MAX_DEPTH, Resolve, Unread, dotted, imported, lookup, word

Field = Callable[[ast.AST, Resolve, int], tuple[Schema, "bool | None"]]
Words = Callable[[Schema, Sequence[ast.keyword], Resolve, int], Schema]
Rows = dict[str, tuple[Schema, bool]]
_KINDS = {
    **dict.fromkeys(("TypedDict",), "typeddict"),
    **dict.fromkeys(("NamedTuple",), "namedtuple"),
    **dict.fromkeys(("BaseModel", "RootModel", "SQLModel", "BaseSettings"), "pydantic"),
    **dict.fromkeys(("Flag", "IntFlag"), "flag"),
    **dict.fromkeys(("Enum", "IntEnum", "StrEnum"), "enum"),
}


class Classes:
    """Reads classes for one contract. `sent`: as whoever makes an instance sends it, else as it is taken."""

    def __init__(self, field: Field, words: Words, *, sent: bool) -> None:
        self._field, self._words, self._sent = field, words, sent

    def body(self, at: ast.ClassDef, resolve: Resolve, depth: int) -> Schema:
        """The schema of a class. Raises Unread."""
        kind = kind_of(at, resolve, depth)
        if kind == "flag":
            # A flag's members combine, so any sum of them may be sent.
            return {"type": "integer"}  # its members combine: A | B is not a member
        if kind == "enum":
            listed = members(at, resolve, depth)
            if not listed:
                raise Unread(at, f"the Enum {at.name} has no members that can be read from source")
            return forms.literal(list(listed.values()))
        if kind is None:
            if _is_plain(at, resolve):
                # Every base is the project's and nothing is done to it, so it can be named and compared by name.
                return forms.opaque(at.name)
            raise Unread(at, f"{at.name} is neither a TypedDict, a dataclass, an Enum nor a pydantic model")
        rows: Rows = {}
        extra = self._collect(at, resolve, depth, kind, rows)
        if kind == "namedtuple":
            # A NamedTuple is sent as a list: JSON has no names for the places.
            return forms.fixed([s for s, _ in rows.values()])
        schema = forms.record(((n, s, r) for n, (s, r) in rows.items()), extra=extra)
        described = ast.get_docstring(at)
        return {**schema, "description": described} if described else schema

    def _collect(self, at: ast.ClassDef, resolve: Resolve, depth: int, kind: str, rows: Rows) -> bool | None:
        """Fill `rows` with the fields of the class and of its bases; returns what the class says of extra fields."""
        extra: bool | None = None
        # Backwards, as Python resolves them: what the first base says stands last, and so wins.
        for base in reversed(at.bases):
            if isinstance(base, ast.Subscript):
                raise Unread(at, f"{at.name} is generic")
            found = lookup(resolve, dotted(base), base)
            if found and isinstance(found[0], ast.ClassDef) and depth < MAX_DEPTH:
                inherited = self._collect(found[0], found[1], depth + 1, kind, rows)
                extra = inherited if inherited is not None else extra
        for k in at.keywords:
            if k.arg == "extra":
                extra = _extra(k.value, extra)
            if k.arg == "alias_generator":
                # Made names are known only to the generator, and running it is what reading source does not do.
                raise Unread(at, f"{at.name} makes the names of its fields")
        for line in at.body:
            if kind == "pydantic":
                extra = self._pydantic_line(at, line, extra, resolve, depth, rows)
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                self._line(at, line, line.target.id, kind, resolve, depth, rows)
        return extra

    def _pydantic_line(
        self, at: ast.ClassDef, line: ast.stmt, extra: bool | None, resolve: Resolve, depth: int, rows: Rows
    ) -> bool | None:
        """What a line of a model says beside its fields: its configuration, computed fields, serializers."""
        if _generates_names(line):
            raise Unread(at, f"{at.name} makes the names of its fields")
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Call | ast.Dict):
            return _config(line, extra)
        if isinstance(line, ast.AnnAssign) and getattr(line.target, "id", "") == "model_config":
            return _config(line, extra)
        # Serializers change what is sent and not what is taken, so only the one side is unreadable by them.
        if self._sent and isinstance(line, ast.FunctionDef):
            marks = [d.func if isinstance(d, ast.Call) else d for d in line.decorator_list]
            words = {word(mark, resolve, depth) for mark in marks}
            if words & {"field_serializer", "model_serializer", "serializer"}:
                raise Unread(at, f"{at.name} has a serializer of its own")
            if "computed_field" in words:
                if line.returns is None or any(isinstance(d, ast.Call) for d in line.decorator_list):
                    raise Unread(at, f"the computed field {at.name}.{line.name} must be evaluated")
                rows[line.name] = (self._field(line.returns, resolve, depth + 1)[0], True)
        return extra

    def _line(
        self, at: ast.ClassDef, line: ast.AnnAssign, name: str, kind: str, resolve: Resolve, depth: int, rows: Rows
    ) -> None:
        """One field."""
        written = line.annotation.value if isinstance(line.annotation, ast.Subscript) else line.annotation
        if dotted(written).rpartition(".")[2] in ("ClassVar", "InitVar", "KW_ONLY"):  # none is a field
            return
        if kind == "pydantic" and (name.startswith("_") or name == "model_config"):
            return
        if kind == "pydantic" and _says_more(line.annotation, resolve, depth):
            raise Unread(at, f"the alias or default in the annotation of {at.name}.{name} must be evaluated")
        schema, wanted = self._field(line.annotation, resolve, depth + 1)
        if kind == "typeddict":
            # `total=False` makes every field optional unless it says `Required` itself.
            total = not any(k.arg == "total" and is_value(k.value, False) for k in at.keywords)
            rows[name] = (schema, total if wanted is None else wanted)
            return
        required, name, schema = self._default(line, name, schema, resolve, depth)
        if name:
            # Whoever takes it may leave it out; whoever sends an instance has it, from the default.
            rows[name] = (schema, required or self._sent)  # what has a default is always sent

    def _default(
        self, line: ast.AnnAssign, name: str, schema: Schema, resolve: Resolve, depth: int
    ) -> tuple[bool, str, Schema]:
        """Whether a field must be given, its name in the data (empty: it is left out), and its schema."""
        value = line.value
        if value is None:
            return True, name, schema
        if isinstance(value, ast.Call) and word(value.func, resolve, depth) in ("Field", "field", "ib"):
            words = {k.arg: k.value for k in value.keywords}
            if self._sent and is_value(words.get("exclude", value), True):
                return False, "", schema
            # The alias of its own direction goes before the common one, as pydantic has it.
            given = words.get(f"{'serialization' if self._sent else 'validation'}_alias") or words.get("alias")
            if given is not None:
                name = str(constant(given, resolve, depth))
            schema = self._words(schema, value.keywords, resolve, depth)
            first = value.args[0] if value.args else words.get("default")
            # `...` in place of a default is pydantic's way to say that there is none.
            absent = first is None or (isinstance(first, ast.Constant) and first.value is ...)
            return absent and "default_factory" not in words, name, schema
        if isinstance(value, ast.Constant) and value.value is ...:
            return True, name, schema
        return False, name, schema


def kind_of(at: ast.ClassDef, resolve: Resolve, depth: int) -> str | None:
    """Which kind of class it is, by its decorators and bases; None where it is not one that holds data."""
    for decorator in at.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if word(target, resolve, depth) in ("dataclass", "define", "frozen", "attrs"):
            return "dataclass"
    for base in at.bases:
        if isinstance(base, ast.Subscript):
            base = base.value
        if not isinstance(base, ast.Name | ast.Attribute):
            continue
        kind = _KINDS.get(word(base, resolve, depth))
        if kind is not None:
            return kind
        found = lookup(resolve, dotted(base), base)
        if found and isinstance(found[0], ast.ClassDef) and depth < MAX_DEPTH:
            kind = kind_of(found[0], found[1], depth + 1)
            if kind:  # a plain subclass of a dataclass adds no fields, yet has them
                return kind
    return None


def _is_plain(at: ast.ClassDef, resolve: Resolve) -> bool:
    """Whether a class is surely nothing but itself: every base is one of the project's, nothing is done to it."""
    if at.decorator_list or at.keywords:
        return False
    for base in at.bases:
        found = lookup(resolve, dotted(base), base)
        if found is None and (imported(resolve, dotted(base)) or "").startswith("graphbus_core"):
            # A node is an object that works, and is never sent.
            continue  # a node is an object, and no data
        if found is None or not isinstance(found[0], ast.ClassDef) or not _is_plain(found[0], found[1]):
            return dotted(base) == "object"
    return True


def _says_more(at: ast.expr, resolve: Resolve, depth: int) -> bool:
    """Whether a `Field(…)` in the annotation itself says what only pydantic knows how to weigh."""
    if not isinstance(at, ast.Subscript) or word(at.value, resolve, depth) != "Annotated":
        return False
    extras = at.slice.elts[1:] if isinstance(at.slice, ast.Tuple) else []
    return any(
        isinstance(e, ast.Call)
        and word(e.func, resolve, depth) == "Field"
        and (bool(e.args) or any(k.arg in _NAMING for k in e.keywords))
        for e in extras
    )


def is_value(at: ast.AST, value: object) -> bool:
    """Whether a node is this constant."""
    return isinstance(at, ast.Constant) and at.value is value


def _extra(at: ast.AST, before: bool | None) -> bool | None:
    known = {"forbid": False, "allow": True, "ignore": None}
    text = at.value if isinstance(at, ast.Constant) else getattr(at, "attr", None)
    # "ignore" is the default of pydantic: further fields pass and vanish, which is what None says.
    return known.get(str(text), before)


_NAMING = frozenset({"alias", "validation_alias", "serialization_alias", "exclude", "default", "default_factory"})


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
