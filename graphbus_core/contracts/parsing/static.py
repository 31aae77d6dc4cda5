"""A contract read from source: an annotation expression or a dict literal, without importing anything.

`read` is given the expression and a way to look names up. What only an import can tell is answered with NeedsImport,
a value, so that the scanner can decide. Knows `ast`; runs no code.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from graphbus_core.contracts.parsing import type_forms
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.parsing.source_classes import ClassReader, is_alias_type, is_value, list_type_variables
from graphbus_core.contracts.parsing.source_words import (
    MAX_DEPTH,
    Resolve,
    Unreadable,
    find_imported_name,
    list_constants,
    look_up_name,
    no_names,
    read_constant,
    read_dotted_name,
    read_literals,
    resolve_word,
)
from graphbus_core.contracts.parsing.type_forms import Schema

__all__ = ["NeedsImport", "Resolve", "no_names", "read", "read_text", "render_source"]

_CONSTRAINED = {  # of pydantic: a call with bounds -> the type that it bounds
    "conint": "int",
    "confloat": "float",
    "constr": "str",
    "conbytes": "bytes",
    "condecimal": "Decimal",
    "condate": "date",
    "conlist": "list",
    "conset": "set",
    "confrozenset": "frozenset",
}


@dataclass(frozen=True, slots=True)
class NeedsImport:
    """Source alone does not tell: `expression` must be evaluated, because of `reason`."""

    reason: str
    expression: str = ""
    lineno: int = 0


def read(
    expr: ast.AST,
    resolve: Resolve = no_names,
    *,
    side: str | None = None,
    open_parts: list[NeedsImport] | None = None,
) -> Contract | NeedsImport:
    """Read a contract from `{"sku": str}`, `Order`, `list[Order] | None` … as written in source.

    `side="output"` reads it as its producer sends it: a field with a default is there, a pydantic model is serialized.
    With `open_parts`, a part that cannot be read is open (anything fits it) and is added there; the rest is read.
    """
    reader = _Reader(sent=side == "output", open_parts=open_parts)
    try:
        schema = reader.read_type(expr, resolve, 0)
    except Unreadable as e:
        return _describe_unread(e)
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


def _describe_unread(error: Unreadable) -> NeedsImport:
    return NeedsImport(error.reason, render_source(error.at), getattr(error.at, "lineno", 0))


_ALIASES = (ast.Subscript, ast.BinOp, ast.Constant, ast.Assign, ast.AnnAssign, getattr(ast, "TypeAlias", ast.Assign))
# What is being read: the id of its node, what its type variables stand for, and whether it is a class.
Key: TypeAlias = "tuple[int, str, bool]"


class _Reader:
    """One reading. Classes under way are remembered, so that a recursive one becomes a `$ref`."""

    def __init__(self, *, sent: bool, open_parts: list[NeedsImport] | None) -> None:
        self._classes = ClassReader(self.read_field, self._apply_constraints, self.leave_open, sent=sent)
        self._open_parts = open_parts
        self.definitions: dict[str, Schema] = {}
        self._open: dict[Key, str] = {}  # a class or an alias being read -> its name
        self._recursive: set[Key] = set()

    # ---- expressions

    def read_type(self, node: ast.AST, resolve: Resolve, depth: int) -> Schema:
        schema, _ = self.read_field(node, resolve, depth)
        return schema

    def read_field(self, node: ast.AST, resolve: Resolve, depth: int) -> tuple[Schema, bool | None]:
        """The schema of an expression, and True/False where it says Required/NotRequired, else None."""
        if depth > MAX_DEPTH:
            raise RecursionError  # the whole is given up: what is that deep often has no end
        try:
            return self._read_expression(node, resolve, depth)
        except Unreadable as e:
            self.leave_open(e)
            return {}, None

    def leave_open(self, error: Unreadable) -> None:
        """Note a part that is not read. Raises it where no part may be left out."""
        if self._open_parts is None:
            raise error
        self._open_parts.append(_describe_unread(error))

    def _read_expression(self, node: ast.AST, resolve: Resolve, depth: int) -> tuple[Schema, bool | None]:
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
                return self._read_union(_list_sides(node), resolve, depth), None
            case ast.Name() | ast.Attribute():
                return self._read_name(node, resolve, depth)
            case ast.Subscript():
                return self._read_generic(node, resolve, depth)
            case ast.Call():
                return self._read_call(node, resolve, depth), None
            case ast.List(elts=[one]):  # `[str]`: a common shorthand for list[str]
                return type_forms.build_array(self.read_type(one, resolve, depth + 1)), None
            case ast.ClassDef():
                return self._read_definition(node.name, node, resolve, depth)
            case ast.Assign() | ast.AnnAssign() if node.value is not None:
                return self.read_field(node.value, resolve, depth + 1)
        if isinstance(node, getattr(ast, "TypeAlias", ())):
            return self.read_field(node.value, resolve, depth + 1)  # type: ignore[attr-defined]
        raise Unreadable(node, "it is not a type that can be read from source")

    def _read_union(self, members: Sequence[ast.expr], resolve: Resolve, depth: int) -> Schema:
        """`A | B`. Of several structs each must have its tag, which is what tells them apart."""
        schemas = [self.read_type(member, resolve, depth + 1) for member in members]
        tags = [self._classes.find_tag(schema) for schema in schemas]
        if sum(tag is not None for tag in tags) > 1:
            schemas = [
                schema if tag is None else type_forms.require_field(schema, tag)
                for schema, tag in zip(schemas, tags, strict=True)
            ]
        return type_forms.build_union(schemas)

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
            return self._read_definition(name, definition[0], definition[1], depth)
        last = name.rpartition(".")[2]
        if last == "Self" and (inner := [key for key in self._open if key[2]]):
            self._recursive.add(inner[-1])
            return {"$ref": f"#/$defs/{self._open[inner[-1]]}"}, None
        if last == "Counter" and find_imported_name(resolve, name) in (None, "collections.Counter", "typing.Counter"):
            return type_forms.build_mapping({}, {"type": "integer"}), None
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

    def _read_definition(self, name: str, node: ast.AST, resolve: Resolve, depth: int) -> tuple[Schema, bool | None]:
        """What a name stands for; a class, and an alias that mentions itself, is a definition."""
        is_class = isinstance(node, ast.ClassDef)
        if not is_class and not _is_alias(node):
            return self.read_field(node, resolve, depth + 1)
        given = [self._classes.bound.get(id(variable)) for variable in list_type_variables(node, resolve)]
        # What it was given, too: `Box[int]` within `Box[str]` is another class, not itself again.
        key = (id(node), repr(given), is_class)
        if key in self._open:
            self._recursive.add(key)
            return {"$ref": f"#/$defs/{self._open[key]}"}, None
        self._open[key] = own = self._name_definition(
            node.name if isinstance(node, ast.ClassDef) else name.rpartition(".")[2]
        )
        bound, schema, is_required = self._classes.bound, {}, None
        try:
            if isinstance(node, ast.ClassDef):
                schema = self._classes.read_class(node, resolve, depth)
            else:
                schema, is_required = self._read_expression(node, resolve, depth + 1)
        finally:
            del self._open[key]
            self._classes.bound = bound
            if key in self._recursive:
                self.definitions[own] = schema
        if key not in self._recursive:
            return schema, is_required
        reference = {"$ref": f"#/$defs/{own}"}
        if reference in (schema, *schema.get("anyOf", ())):
            self.definitions[own] = {}
            raise Unreadable(node, f"{own} is nothing but itself")
        return reference, is_required

    def _name_definition(self, name: str) -> str:
        used_names = {*self._open.values(), *self.definitions}
        return name if name not in used_names else f"{name}{len(used_names) + 1}"

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
                try:
                    schema = self._apply_metadata(schema, extra, resolve, depth)
                except Unreadable as e:
                    self.leave_open(e)
            return schema, is_required
        if name in type_forms.TRANSPARENT or name == "RootModel":
            return self.read_field(inner[0], resolve, depth + 1)
        if name == "Optional":
            return type_forms.build_union([read_argument(), {"type": "null"}]), None
        if name == "Union":
            return self._read_union(inner, resolve, depth), None
        if name == "Literal":
            return type_forms.build_literal(read_literals(inner, resolve, depth)), None
        if name == "ClassVar":
            raise Unreadable(node, f"{name} is not data")
        if name in ("type", "Type", "Callable"):
            return type_forms.build_opaque(type_forms.CLASS if name != "Callable" else name), None
        if name in type_forms.PARAMETRIZED:
            return dict(type_forms.PLAIN[name]), None
        own = look_up_name(resolve, read_dotted_name(node.value), node.value)
        if own is not None and (isinstance(own[0], ast.ClassDef) or _is_alias(own[0])):
            bound = self._classes.bound
            self._classes.bind(own[0], resolve, inner, own[1], depth)
            try:
                return self._read_definition(name, own[0], own[1], depth)
            finally:
                self._classes.bound = bound
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
        if name == "Counter":
            return type_forms.build_mapping(read_argument(), {"type": "integer"})
        if name in type_forms.MAPPINGS:
            return type_forms.build_mapping(read_argument(0), read_argument(1) if len(inner) > 1 else {})
        if name not in type_forms.TUPLES:
            return None
        if len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is ...:
            return type_forms.build_array(read_argument())
        return self._read_tuple(inner, resolve, depth)

    def _read_tuple(self, parts: Sequence[ast.expr], resolve: Resolve, depth: int) -> Schema:
        """`tuple[A, *B]`. What stands behind a part of any length has no place of its own, and may be any of these."""
        members: list[Schema] = []
        rest: list[Schema] = []
        needed = 0
        for part in parts:
            if isinstance(part, ast.Starred):
                unpacked = self.read_type(part.value, resolve, depth + 1)
            elif isinstance(part, ast.Subscript) and resolve_word(part.value, resolve, depth) == "Unpack":
                unpacked = self.read_type(part.slice, resolve, depth + 1)
            else:
                unpacked = type_forms.build_tuple([self.read_type(part, resolve, depth + 1)])
            if rest:
                self.leave_open(Unreadable(part, "it stands behind a part of any length, so its place is not checked"))
            (rest if rest else members).extend(unpacked.get("prefixItems", ()))
            needed += unpacked.get("minItems", 0)
            if "maxItems" not in unpacked:
                rest.append(unpacked.get("items", {}))
        if not rest:
            return type_forms.build_tuple(members)
        schema = type_forms.build_tuple(members, type_forms.build_union(rest))
        return {**schema, "minItems": needed} if needed else schema

    def _read_call(self, node: ast.Call, resolve: Resolve, depth: int) -> Schema:
        """A type that is made by a call. Only those are read of which the call itself says everything."""
        name = resolve_word(node.func, resolve, depth)
        match name, node.args:
            case "NewType", [_, of]:
                return self.read_type(of, resolve, depth + 1)
            case "TypeVar", [_, *constraints]:
                return self._read_type_variable(node, constraints, resolve, depth)
            case "TypeAliasType", [_, of]:
                return self.read_type(of, resolve, depth + 1)
            case "TypeVarTuple", [_]:
                return self._classes.bound.get(id(node), {"type": "array"})
            case "GenericAlias", [origin, arguments]:
                return self.read_type(ast.Subscript(origin, arguments, ast.Load()), resolve, depth + 1)
            case "NamedTuple", [_, ast.List(elts=pairs) | ast.Tuple(elts=pairs)] if all(map(_is_pair, pairs)):
                hints = [pair.elts[1] for pair in pairs if isinstance(pair, ast.Tuple)]
                return type_forms.build_tuple([self.read_type(hint, resolve, depth + 1) for hint in hints])
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
            bounded: ast.expr = ast.Name(_CONSTRAINED[name], ast.Load())
            if node.args:
                bounded = ast.Subscript(bounded, node.args[0], ast.Load())
            return self._apply_constraints(self.read_type(bounded, resolve, depth + 1), node.keywords, resolve, depth)
        raise Unreadable(node, f"a call of {name} must be evaluated")

    def _read_type_variable(
        self, node: ast.Call, constraints: Sequence[ast.expr], resolve: Resolve, depth: int
    ) -> Schema:
        """What a type variable stands for in the class being read, else what it may stand for at all."""
        if id(node) in self._classes.bound:
            return self._classes.bound[id(node)]
        if constraints:
            return type_forms.build_union([self.read_type(part, resolve, depth + 1) for part in constraints])
        words = {k.arg: k.value for k in node.keywords}
        stands_for = words.get("default", words.get("bound"))  # a bare use of it takes the default (PEP 696)
        return self.read_type(stands_for, resolve, depth + 1) if stands_for is not None else {}

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
        if name == "Discriminator" and isinstance(node.args[0], ast.Constant):
            return type_forms.add_constraint(schema, "discriminator", node.args[0].value)
        if name == "Doc" and node.args:
            return {**schema, "description": read_constant(node.args[0], resolve, depth)}
        if name in ("Field", "Interval", "Len", "StringConstraints", "Query", "Body", "Meta"):
            return self._apply_constraints(schema, node.keywords, resolve, depth)
        return schema

    def _apply_constraints(self, schema: Schema, words: Sequence[ast.keyword], resolve: Resolve, depth: int) -> Schema:
        known_words = {
            "discriminator",
            *type_forms.NUMBER_WORDS,
            *type_forms.LENGTH_WORDS,
            "pattern",
            "description",
            "title",
        }
        for keyword in words:
            name = "pattern" if keyword.arg == "regex" else keyword.arg
            if name in known_words:
                try:
                    schema = type_forms.add_constraint(schema, name, read_constant(keyword.value, resolve, depth))
                except Unreadable as e:
                    self.leave_open(e)
        return schema


def _is_alias(node: ast.AST) -> bool:
    """Whether a name that stands for this is another word for a type, which may mention itself."""
    return isinstance(node, _ALIASES) or is_alias_type(node)


def _list_sides(node: ast.expr) -> list[ast.expr]:
    """The members of `A | B | C`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_list_sides(node.left), *_list_sides(node.right)]
    return [node]


def _is_pair(node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple) and len(node.elts) == 2


def render_source(node: ast.AST) -> str:
    try:
        return node.name if isinstance(node, ast.ClassDef) else ast.unparse(node)
    except (ValueError, RecursionError, AttributeError):
        return ""
