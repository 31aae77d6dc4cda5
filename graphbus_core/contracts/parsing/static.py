"""A contract read from source: an annotation expression or a dict literal, without importing anything.

`read` is given the expression and a way to look names up. What only an import can tell is answered with NeedsImport,
a value, so that the scanner can decide. Knows `ast`; runs no code.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from graphbus_core.contracts.parsing import type_forms
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.parsing.type_forms import Schema

# Names as they stand in source: what a name is found to be, and the word of standard typing that it means.


# `resolve("Order")` or `resolve("shop.Order")`: the definition found for a name (a ClassDef, or the expression that the
# name stands for) and the resolve that holds where it was found; None where there is none. A resolve may have an
# attribute `find_imported_name`: a function that gives the full dotted name of what was imported from outside, or None.
Found: TypeAlias = "tuple[ast.AST, Resolve] | None"
Resolve: TypeAlias = Callable[[str], Any]

# Deeper than contracts that people write; a hostile one ends as "not read" instead of ending the process.
MAX_DEPTH = 60  # nested expressions and references; a contract deeper than this is not read


class Unreadable(Exception):
    """Source alone does not tell: `at` must be evaluated, because of `reason`."""

    def __init__(self, node: ast.AST, reason: str) -> None:
        super().__init__(reason)
        self.at, self.reason = node, reason


def no_names(name: str) -> None:
    """A resolve that knows no names: only the words of standard typing can be read."""


def find_imported_name(resolve: Resolve, name: str) -> str | None:
    """The full name of a class from a library outside the project, where `resolve` knows it."""
    find_import = getattr(resolve, "imported", None)
    full_name: str | None = find_import(name) if find_import is not None else None
    return full_name


def resolve_word(node: ast.AST, resolve: Resolve, depth: int) -> str:
    """The last segment of a name, seen through `import typing as t` and `from typing import Literal as L`."""
    name = read_dotted_name(node)
    definition = look_up_name(resolve, name, node)
    if definition is not None and isinstance(definition[0], ast.Name | ast.Attribute) and depth < MAX_DEPTH:
        return resolve_word(definition[0], definition[1], depth + 1)
    return name.rpartition(".")[2]


def look_up_name(resolve: Resolve, name: str, origin: ast.AST) -> tuple[ast.AST, Resolve] | None:
    definition = resolve(name) if name else None
    if definition is None:
        return None
    node, inner = definition
    same = isinstance(node, ast.Name | ast.Attribute) and read_dotted_name(node) == name and inner is resolve
    # A name that leads to itself (`Order = Order`) is where the search ends.
    return None if node is origin or same else (node, inner)


def read_dotted_name(node: ast.AST | None) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = read_dotted_name(node.value)
        return f"{head}.{node.attr}" if head else node.attr
    return ""


# Constants as they stand in source: literals, members of enums, small sums. Nothing is evaluated.


def read_literals(inner: Sequence[ast.expr], resolve: Resolve, depth: int) -> list[Any]:
    values: list[Any] = []
    for node in inner:
        if isinstance(node, ast.Subscript):  # Literal[Literal["a"], "b"]
            deeper = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
            inner_values = read_literals(deeper, resolve, depth + 1)
        else:
            inner_values = [read_constant(node, resolve, depth)]
        # By type as well: 1 and True are equal in Python, and two values in JSON.
        values += [v for v in inner_values if not any(v == w and type(v) is type(w) for w in values)]
    return values


def read_constant(node: ast.AST | None, resolve: Resolve, depth: int) -> Any:
    match node:
        case ast.Constant(value=value) if value is None or isinstance(value, str | int | float | bool):
            return value
        case ast.UnaryOp(op=ast.USub()):
            value = read_constant(node.operand, resolve, depth)
            if isinstance(value, int | float):
                return -value
        case ast.BinOp(op=ast.Pow() | ast.Mult() | ast.Add() | ast.Sub()):
            return _compute_arithmetic(node, resolve, depth)
        case ast.Call(func=ast.Name(id="Decimal"), args=[one]):
            # A float, because that is how a Decimal's bound is compared.
            return float(read_constant(one, resolve, depth))
        case ast.Name() | ast.Attribute() if depth < MAX_DEPTH:
            return _read_named_constant(node, resolve, depth)
    raise Unreadable(node or ast.Constant(None), "it is not a constant that can be read from source")


def _compute_arithmetic(node: ast.BinOp, resolve: Resolve, depth: int) -> int | float:
    left_value, right = (read_constant(s, resolve, depth + 1) for s in (node.left, node.right))
    # Small ones alone: `10 ** 10 ** 10` in somebody's source must not be computed here.
    small = isinstance(left_value, int | float) and isinstance(right, int | float) and abs(left_value) <= 1e9
    if small and isinstance(node.op, ast.Pow) and 0 <= right <= 20:
        return left_value**right  # type: ignore[no-any-return]
    if small and not isinstance(node.op, ast.Pow):
        results = {ast.Mult: left_value * right, ast.Add: left_value + right, ast.Sub: left_value - right}
        return results[type(node.op)]  # type: ignore[no-any-return]
    raise Unreadable(node, "its value must be evaluated")


def _read_named_constant(expression: ast.Name | ast.Attribute, resolve: Resolve, depth: int) -> Any:
    if isinstance(expression, ast.Attribute):  # Color.RED, Color.RED.value
        owner = expression.value if expression.attr != "value" else None
        if expression.attr == "value":
            return read_constant(expression.value, resolve, depth + 1)
        definition = (
            look_up_name(resolve, read_dotted_name(owner), expression)
            if isinstance(owner, ast.Name | ast.Attribute)
            else None
        )
        if definition and isinstance(definition[0], ast.ClassDef):
            listed = read_enum_members(definition[0], definition[1], depth)
            if expression.attr in listed:
                return listed[expression.attr]
    definition = look_up_name(resolve, read_dotted_name(expression), expression)
    if definition is None or isinstance(definition[0], ast.ClassDef):
        raise Unreadable(expression, f"{read_dotted_name(expression)} is not a constant found in the project")
    node = definition[0].value if isinstance(definition[0], ast.Assign | ast.AnnAssign) else definition[0]
    return read_constant(node, definition[1], depth + 1)


def list_constants(node: ast.expr, resolve: Resolve, depth: int) -> list[str]:
    if isinstance(node, ast.List | ast.Tuple):
        return [str(read_constant(e, resolve, depth)) for e in node.elts]
    return str(read_constant(node, resolve, depth)).replace(",", " ").split()


def is_str_enum(node: ast.ClassDef, resolve: Resolve, depth: int) -> bool:
    """Whether an Enum is a StrEnum, itself or by a base."""
    for base in node.bases:
        if isinstance(base, ast.Name | ast.Attribute):
            if resolve_word(base, resolve, depth) == "StrEnum":
                return True
            definition = look_up_name(resolve, read_dotted_name(base), base)
            inner = definition is not None and isinstance(definition[0], ast.ClassDef) and depth < MAX_DEPTH
            if inner and definition is not None and is_str_enum(definition[0], definition[1], depth + 1):  # type: ignore[arg-type]
                return True
    return False


def read_enum_members(node: ast.ClassDef, resolve: Resolve, depth: int) -> dict[str, Any]:
    """The members of an Enum: name -> value."""
    members: dict[str, Any] = {}
    text = is_str_enum(node, resolve, depth)
    last = 0
    for line in node.body:
        target = line.targets[0] if isinstance(line, ast.Assign) else getattr(line, "target", None)
        if not isinstance(line, ast.Assign | ast.AnnAssign) or not isinstance(target, ast.Name):
            continue
        name = target.id
        if name.startswith("_") or line.value is None:
            continue
        if isinstance(line.value, ast.Call) and read_dotted_name(line.value.func).rpartition(".")[2] == "auto":
            # `auto()` counts on from the last number, and a StrEnum takes the name in small letters.
            members[name] = name.lower() if text else last + 1
        else:
            members[name] = read_constant(line.value, resolve, depth)
        last = members[name] if isinstance(members[name], int) else last
    return members


# Classes as they stand in source: TypedDict, dataclass, NamedTuple, Enum and pydantic model.
#
# What only running the class would tell (names that are generated, a serializer of its own) is `Unreadable`.


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


class ClassReader:
    """Reads classes for one contract. `sent`: as whoever makes an instance sends it, else as it is taken."""

    def __init__(self, field: Field, words: Words, *, sent: bool) -> None:
        self._field, self._words, self._sent = field, words, sent

    def read_class(self, node: ast.ClassDef, resolve: Resolve, depth: int) -> Schema:
        """The schema of a class. Raises Unread."""
        kind = find_kind(node, resolve, depth)
        if kind == "flag":
            # A flag's members combine, so any sum of them may be sent.
            return {"type": "integer"}  # its members combine: A | B is not a member
        if kind == "enum":
            listed = read_enum_members(node, resolve, depth)
            if not listed:
                raise Unreadable(node, f"the Enum {node.name} has no members that can be read from source")
            return type_forms.build_literal(list(listed.values()))
        if kind is None:
            if _is_plain(node, resolve):
                # Every base is the project's and nothing is done to it, so it can be named and compared by name.
                return type_forms.build_opaque(node.name)
            raise Unreadable(node, f"{node.name} is neither a TypedDict, a dataclass, an Enum nor a pydantic model")
        rows: Rows = {}
        extra = self._collect_fields(node, resolve, depth, kind, rows)
        if kind == "namedtuple":
            # A NamedTuple is sent as a list: JSON has no names for the places.
            return type_forms.build_tuple([s for s, _ in rows.values()])
        schema = type_forms.build_object(((n, s, r) for n, (s, r) in rows.items()), extra=extra)
        described = ast.get_docstring(node)
        return {**schema, "description": described} if described else schema

    def _collect_fields(self, node: ast.ClassDef, resolve: Resolve, depth: int, kind: str, rows: Rows) -> bool | None:
        """Fill `rows` with the fields of the class and of its bases; returns what the class says of extra fields."""
        extra: bool | None = None
        # Backwards, as Python resolves them: what the first base says stands last, and so wins.
        for base in reversed(node.bases):
            if isinstance(base, ast.Subscript):
                raise Unreadable(node, f"{node.name} is generic")
            definition = look_up_name(resolve, read_dotted_name(base), base)
            if definition and isinstance(definition[0], ast.ClassDef) and depth < MAX_DEPTH:
                inherited = self._collect_fields(definition[0], definition[1], depth + 1, kind, rows)
                extra = inherited if inherited is not None else extra
        for k in node.keywords:
            if k.arg == "extra":
                extra = _read_extra(k.value, extra)
            if k.arg == "alias_generator":
                # Made names are known only to the generator, and running it is what reading source does not do.
                raise Unreadable(node, f"{node.name} makes the names of its fields")
        for line in node.body:
            if kind == "pydantic":
                extra = self._read_pydantic_line(node, line, extra, resolve, depth, rows)
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                self._read_field_line(node, line, line.target.id, kind, resolve, depth, rows)
        return extra

    def _read_pydantic_line(
        self, node: ast.ClassDef, line: ast.stmt, extra: bool | None, resolve: Resolve, depth: int, rows: Rows
    ) -> bool | None:
        """What a line of a model says beside its fields: its configuration, computed fields, serializers."""
        if _has_alias_generator(line):
            raise Unreadable(node, f"{node.name} makes the names of its fields")
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Call | ast.Dict):
            return _read_config(line, extra)
        if isinstance(line, ast.AnnAssign) and getattr(line.target, "id", "") == "model_config":
            return _read_config(line, extra)
        # Serializers change what is sent and not what is taken, so only the one side is unreadable by them.
        if self._sent and isinstance(line, ast.FunctionDef):
            marks = [d.func if isinstance(d, ast.Call) else d for d in line.decorator_list]
            words = {resolve_word(mark, resolve, depth) for mark in marks}
            if words & {"field_serializer", "model_serializer", "serializer"}:
                raise Unreadable(node, f"{node.name} has a serializer of its own")
            if "computed_field" in words:
                if line.returns is None or any(isinstance(d, ast.Call) for d in line.decorator_list):
                    raise Unreadable(node, f"the computed field {node.name}.{line.name} must be evaluated")
                rows[line.name] = (self._field(line.returns, resolve, depth + 1)[0], True)
        return extra

    def _read_field_line(
        self, node: ast.ClassDef, line: ast.AnnAssign, name: str, kind: str, resolve: Resolve, depth: int, rows: Rows
    ) -> None:
        """One field."""
        annotation = line.annotation.value if isinstance(line.annotation, ast.Subscript) else line.annotation
        if read_dotted_name(annotation).rpartition(".")[2] in ("ClassVar", "InitVar", "KW_ONLY"):  # none is a field
            return
        if kind == "pydantic" and (name.startswith("_") or name == "model_config"):
            return
        if kind == "pydantic" and _has_naming_metadata(line.annotation, resolve, depth):
            raise Unreadable(node, f"the alias or default in the annotation of {node.name}.{name} must be evaluated")
        schema, is_required = self._field(line.annotation, resolve, depth + 1)
        if kind == "typeddict":
            # `total=False` makes every field optional unless it says `Required` itself.
            total = not any(k.arg == "total" and is_value(k.value, False) for k in node.keywords)
            rows[name] = (schema, total if is_required is None else is_required)
            return
        required, name, schema = self._read_default(line, name, schema, resolve, depth)
        if name:
            # Whoever takes it may leave it out; whoever sends an instance has it, from the default.
            rows[name] = (schema, required or self._sent)  # what has a default is always sent

    def _read_default(
        self, line: ast.AnnAssign, name: str, schema: Schema, resolve: Resolve, depth: int
    ) -> tuple[bool, str, Schema]:
        """Whether a field must be given, its name in the data (empty: it is left out), and its schema."""
        value = line.value
        if value is None:
            return True, name, schema
        if isinstance(value, ast.Call) and resolve_word(value.func, resolve, depth) in ("Field", "field", "ib"):
            words = {k.arg: k.value for k in value.keywords}
            if self._sent and is_value(words.get("exclude", value), True):
                return False, "", schema
            # The alias of its own direction goes before the common one, as pydantic has it.
            alias = words.get(f"{'serialization' if self._sent else 'validation'}_alias") or words.get("alias")
            if alias is not None:
                name = str(read_constant(alias, resolve, depth))
            schema = self._words(schema, value.keywords, resolve, depth)
            first = value.args[0] if value.args else words.get("default")
            # `...` in place of a default is pydantic's way to say that there is none.
            absent = first is None or (isinstance(first, ast.Constant) and first.value is ...)
            return absent and "default_factory" not in words, name, schema
        if isinstance(value, ast.Constant) and value.value is ...:
            return True, name, schema
        return False, name, schema


def find_kind(node: ast.ClassDef, resolve: Resolve, depth: int) -> str | None:
    """Which kind of class it is, by its decorators and bases; None where it is not one that holds data."""
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if resolve_word(target, resolve, depth) in ("dataclass", "define", "frozen", "attrs"):
            return "dataclass"
    for base in node.bases:
        if isinstance(base, ast.Subscript):
            base = base.value
        if not isinstance(base, ast.Name | ast.Attribute):
            continue
        kind = _KINDS.get(resolve_word(base, resolve, depth))
        if kind is not None:
            return kind
        definition = look_up_name(resolve, read_dotted_name(base), base)
        if definition and isinstance(definition[0], ast.ClassDef) and depth < MAX_DEPTH:
            kind = find_kind(definition[0], definition[1], depth + 1)
            if kind:  # a plain subclass of a dataclass adds no fields, yet has them
                return kind
    return None


def _is_plain(node: ast.ClassDef, resolve: Resolve) -> bool:
    """Whether a class is surely nothing but itself: every base is one of the project's, nothing is done to it."""
    if node.decorator_list or node.keywords:
        return False
    for base in node.bases:
        definition = look_up_name(resolve, read_dotted_name(base), base)
        if definition is None and (find_imported_name(resolve, read_dotted_name(base)) or "").startswith(
            "graphbus_core"
        ):
            # A node is an object that works, and is never sent.
            continue  # a node is an object, and no data
        if (
            definition is None
            or not isinstance(definition[0], ast.ClassDef)
            or not _is_plain(definition[0], definition[1])
        ):
            return read_dotted_name(base) == "object"
    return True


def _has_naming_metadata(node: ast.expr, resolve: Resolve, depth: int) -> bool:
    """Whether a `Field(…)` in the annotation itself says what only pydantic knows how to weigh."""
    if not isinstance(node, ast.Subscript) or resolve_word(node.value, resolve, depth) != "Annotated":
        return False
    extras = node.slice.elts[1:] if isinstance(node.slice, ast.Tuple) else []
    return any(
        isinstance(e, ast.Call)
        and resolve_word(e.func, resolve, depth) == "Field"
        and (bool(e.args) or any(k.arg in _NAMING for k in e.keywords))
        for e in extras
    )


def is_value(node: ast.AST, value: object) -> bool:
    """Whether a node is this constant."""
    return isinstance(node, ast.Constant) and node.value is value


def _read_extra(node: ast.AST, before: bool | None) -> bool | None:
    extra_by_word = {"forbid": False, "allow": True, "ignore": None}
    text = node.value if isinstance(node, ast.Constant) else getattr(node, "attr", None)
    # "ignore" is the default of pydantic: further fields pass and vanish, which is what None says.
    return extra_by_word.get(str(text), before)


_NAMING = frozenset({"alias", "validation_alias", "serialization_alias", "exclude", "default", "default_factory"})


def _has_alias_generator(line: ast.stmt) -> bool:
    """Whether a line of a pydantic model, its `model_config` or `class Config`, has a function make the names."""
    if isinstance(line, ast.ClassDef):
        return line.name == "Config" and any("alias_generator" in ast.dump(inner) for inner in line.body)
    if not isinstance(line, ast.Assign | ast.AnnAssign) or line.value is None:
        return False
    target = line.targets[0] if isinstance(line, ast.Assign) else line.target
    return isinstance(target, ast.Name) and target.id == "model_config" and "alias_generator" in ast.dump(line.value)


def _read_config(line: ast.Assign | ast.AnnAssign, before: bool | None) -> bool | None:
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
    return next((_read_extra(v, before) for k, v in pairs if k == "extra"), before)


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
        schema = reader.read_type(expr, resolve, 0)
    except Unreadable as e:
        return NeedsImport(e.reason, render_source(e.at), getattr(e.at, "lineno", 0))
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
        self._classes = ClassReader(self.read_field, self._apply_constraints, sent=sent)
        self.definitions: dict[str, Schema] = {}
        self._open: dict[int, str] = {}  # id of a ClassDef being read -> its name
        self._recursive: set[int] = set()

    # ---- expressions

    def read_type(self, node: ast.AST, resolve: Resolve, depth: int) -> Schema:
        schema, _ = self.read_field(node, resolve, depth)
        return schema

    def read_field(self, node: ast.AST, resolve: Resolve, depth: int) -> tuple[Schema, bool | None]:
        """The schema of an expression, and True/False where it says Required/NotRequired, else None."""
        if depth > MAX_DEPTH:
            raise Unreadable(node, "it is nested too deeply to be read")
        match node:
            case ast.Constant(value=None):
                return {"type": "null"}, None
            case ast.Constant(value=str() as text):
                try:
                    return self.read_field(ast.parse(text.strip(), mode="eval").body, resolve, depth + 1)
                except SyntaxError:
                    raise Unreadable(node, f"{text!r} is not a type") from None
            case ast.Dict():
                return self._read_dict(node, resolve, depth), None
            case ast.BinOp(op=ast.BitOr()):
                sides = [node.left, node.right]
                return type_forms.build_union([self.read_type(s, resolve, depth + 1) for s in sides]), None
            case ast.Name() | ast.Attribute():
                return self._read_name(node, resolve, depth)
            case ast.Subscript():
                return self._read_generic(node, resolve, depth)
            case ast.Call():
                return self._read_call(node, resolve, depth), None
            case ast.List(elts=[one]):  # `[str]`: a common shorthand for list[str]
                return type_forms.build_array(self.read_type(one, resolve, depth + 1)), None
            case ast.ClassDef():
                return self._read_class(node, resolve, depth), None
            case ast.Assign() | ast.AnnAssign() if node.value is not None:
                return self.read_field(node.value, resolve, depth + 1)
        if isinstance(node, getattr(ast, "TypeAlias", ())):
            return self.read_field(node.value, resolve, depth + 1)  # type: ignore[attr-defined]
        raise Unreadable(node, "it is not a type that can be read from source")

    def _read_dict(self, node: ast.Dict, resolve: Resolve, depth: int) -> Schema:
        rows: list[tuple[str, Schema, bool]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:  # `**Other`: the fields of another contract
                other = self.read_type(value, resolve, depth + 1)
                if "properties" not in other:
                    raise Unreadable(value, "`**` needs a contract with fields")
                required = set(other.get("required", ()))
                rows += [(n, s, n in required) for n, s in other["properties"].items()]
                continue
            name = read_constant(key, resolve, depth)
            if not isinstance(name, str):
                raise Unreadable(key, "a field name must be a text literal")
            schema, is_required = self.read_field(value, resolve, depth + 1)
            rows.append((name, schema, is_required is not False))
        return type_forms.build_object(rows)

    def _read_name(self, node: ast.Name | ast.Attribute, resolve: Resolve, depth: int) -> tuple[Schema, bool | None]:
        name = read_dotted_name(node)
        definition = look_up_name(resolve, name, node)
        if definition is not None:
            return self.read_field(definition[0], definition[1], depth + 1)
        last = name.rpartition(".")[2]
        if last in type_forms.PLAIN:
            return dict(type_forms.PLAIN[last]), None
        if last in type_forms.SEQUENCES or last in type_forms.TUPLES:
            return {"type": "array"}, None
        if last in type_forms.SETS:
            return {"type": "array", "uniqueItems": True}, None
        if last in type_forms.MAPPINGS:
            return {"type": "object"}, None
        foreign = find_imported_name(resolve, name)
        if foreign is not None:
            return type_forms.build_opaque(foreign), None
        if name in ("type", "Type", "Callable"):
            return type_forms.build_opaque(type_forms.CLASS if name != "Callable" else name), None
        raise Unreadable(node, f"{name} was not found in the project")

    def _read_generic(self, node: ast.Subscript, resolve: Resolve, depth: int) -> tuple[Schema, bool | None]:
        name = resolve_word(node.value, resolve, depth)
        inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]

        def read_argument(i: int = 0) -> Schema:
            return self.read_type(inner[i], resolve, depth + 1)

        if name in ("Required", "NotRequired"):
            return read_argument(), name == "Required"
        if name == "Annotated":
            schema, is_required = self.read_field(inner[0], resolve, depth + 1)
            for extra in inner[1:]:
                schema = self._apply_metadata(schema, extra, resolve, depth)
            return schema, is_required
        if name in type_forms.TRANSPARENT:
            return self.read_field(inner[0], resolve, depth + 1)
        if name == "Optional":
            return type_forms.build_union([read_argument(), {"type": "null"}]), None
        if name == "Union":
            return type_forms.build_union([self.read_type(i, resolve, depth + 1) for i in inner]), None
        if name == "Literal":
            return type_forms.build_literal(read_literals(inner, resolve, depth)), None
        if name == "ClassVar":
            raise Unreadable(node, f"{name} is not data")
        if name in ("type", "Type", "Callable"):
            return type_forms.build_opaque(type_forms.CLASS if name != "Callable" else name), None
        if name in type_forms.PARAMETRIZED:
            return dict(type_forms.PLAIN[name]), None
        foreign = find_imported_name(resolve, read_dotted_name(node.value))
        container = self._read_container(node, name, inner, resolve, depth)
        if container is None and foreign is None:
            raise Unreadable(node, f"the generic {name} is not one that can be read from source")
        return container if container is not None else type_forms.build_opaque(str(foreign)), None

    def _read_container(
        self, node: ast.Subscript, name: str, inner: list[ast.expr], resolve: Resolve, depth: int
    ) -> Schema | None:
        """The schema of `list[X]`, `dict[K, V]`, `tuple[A, B]` …; None for what is not a container of data."""

        def read_argument(i: int = 0) -> Schema:
            return self.read_type(inner[i], resolve, depth + 1)

        if name in type_forms.SEQUENCES:
            return type_forms.build_array(read_argument())
        if name in type_forms.SETS:
            return type_forms.build_set(read_argument())
        if name in type_forms.MAPPINGS:
            return type_forms.build_mapping(read_argument(0), read_argument(1) if len(inner) > 1 else {})
        if name not in type_forms.TUPLES:
            return None
        if len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is ...:
            return type_forms.build_array(read_argument())
        for part in inner:
            if isinstance(part, ast.Subscript) and resolve_word(part.value, resolve, depth) == "Unpack":
                raise Unreadable(node, "its unpacked tuple must be evaluated")
        return type_forms.build_tuple([self.read_type(i, resolve, depth + 1) for i in inner])

    def _read_call(self, node: ast.Call, resolve: Resolve, depth: int) -> Schema:
        """A type that is made by a call. Only those are read of which the call itself says everything."""
        name = resolve_word(node.func, resolve, depth)
        match name, node.args:
            case "NewType", [_, of]:
                return self.read_type(of, resolve, depth + 1)
            case "TypedDict", [_, ast.Dict() as fields]:
                return self._read_typed_dict(fields, node.keywords, resolve, depth)
            case "Enum" | "StrEnum", [_, members]:
                listed = list_constants(members, resolve, depth)
                return type_forms.build_literal(
                    [v.lower() if name == "StrEnum" else i for i, v in enumerate(listed, 1)]
                )
            case "dict", [] if all(k.arg for k in node.keywords):
                keys: list[ast.expr | None] = [ast.Constant(k.arg) for k in node.keywords]
                return self._read_dict(ast.Dict(keys, [k.value for k in node.keywords]), resolve, depth)
        if name in _CONSTRAINED:
            return self._apply_constraints({"type": _CONSTRAINED[name]}, node.keywords, resolve, depth)
        raise Unreadable(node, f"a call of {name} must be evaluated")

    def _read_typed_dict(
        self, fields: ast.Dict, keywords: Sequence[ast.keyword], resolve: Resolve, depth: int
    ) -> Schema:
        total = not any(k.arg == "total" and is_value(k.value, False) for k in keywords)
        rows = []
        for key, value in zip(fields.keys, fields.values, strict=True):
            schema, is_required = self.read_field(value, resolve, depth + 1)
            rows.append(
                (str(read_constant(key, resolve, depth)), schema, total if is_required is None else is_required)
            )
        return type_forms.build_object(rows)

    # ---- Annotated and Field

    def _apply_metadata(self, schema: Schema, node: ast.expr, resolve: Resolve, depth: int) -> Schema:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return {**schema, "description": node.value}
        if not isinstance(node, ast.Call):
            return schema  # metadata that says nothing to JSON Schema
        name = resolve_word(node.func, resolve, depth)
        if name in type_forms.METADATA_WORDS:
            arguments = [*node.args, *(k.value for k in node.keywords)]
            return type_forms.add_constraint(
                schema, type_forms.METADATA_WORDS[name], read_constant(arguments[0], resolve, depth)
            )
        if name == "Len":
            for bound, value in zip(("min_length", "max_length"), node.args, strict=False):
                schema = type_forms.add_constraint(schema, bound, read_constant(value, resolve, depth))
        if name == "Doc" and node.args:
            return {**schema, "description": read_constant(node.args[0], resolve, depth)}
        if name in ("Field", "Interval", "Len", "StringConstraints", "Query", "Body"):
            return self._apply_constraints(schema, node.keywords, resolve, depth)
        return schema

    def _apply_constraints(self, schema: Schema, words: Sequence[ast.keyword], resolve: Resolve, depth: int) -> Schema:
        known_words = {*type_forms.NUMBER_WORDS, *type_forms.LENGTH_WORDS, "pattern", "description", "title"}
        for keyword in words:
            name = "pattern" if keyword.arg == "regex" else keyword.arg
            if name in known_words:
                schema = type_forms.add_constraint(schema, name, read_constant(keyword.value, resolve, depth))
        return schema

    # ---- classes

    def _read_class(self, node: ast.ClassDef, resolve: Resolve, depth: int) -> Schema:
        if id(node) in self._open:
            self._recursive.add(id(node))
            return {"$ref": f"#/$defs/{self._open[id(node)]}"}
        used_names = {*self._open.values(), *self.definitions}
        name = node.name if node.name not in used_names else f"{node.name}{len(used_names) + 1}"
        self._open[id(node)] = name
        try:
            schema = self._classes.read_class(node, resolve, depth)
        finally:
            del self._open[id(node)]
        if id(node) not in self._recursive:
            return schema
        self.definitions[name] = schema
        return {"$ref": f"#/$defs/{name}"}


def render_source(node: ast.AST) -> str:
    try:
        return node.name if isinstance(node, ast.ClassDef) else ast.unparse(node)
    except (ValueError, RecursionError, AttributeError):
        return ""
