"""Classes as they stand in source: TypedDict, dataclass, NamedTuple, Enum, pydantic model, attrs and `msgspec.Struct`.

What only running the class would tell (names that a function of the project makes, a serializer of its own) is
`Unreadable`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from graphbus_core.contracts.parsing import type_forms
from graphbus_core.contracts.parsing.source_words import (
    MAX_DEPTH,
    Resolve,
    Unreadable,
    find_imported_name,
    look_up_name,
    read_constant,
    read_dotted_name,
    read_enum_members,
    resolve_word,
)
from graphbus_core.contracts.parsing.type_forms import Schema
from graphbus_core.contracts.parsing.written_names import STRUCT_RULES, Rename, find_alias_generator

Field = Callable[[ast.AST, Resolve, int], tuple[Schema, "bool | None"]]
Words = Callable[[Schema, Sequence[ast.keyword], Resolve, int], Schema]
Rows = dict[str, tuple[Schema, bool]]
Path: TypeAlias = "tuple[str | int, ...]"  # where a field stands in the data; most often its name alone
Extra: TypeAlias = "bool | Schema | None"  # what a class says of further fields; None: nothing
_KINDS = {
    **dict.fromkeys(("TypedDict",), "typeddict"),
    **dict.fromkeys(("NamedTuple",), "namedtuple"),
    **dict.fromkeys(("BaseModel", "RootModel", "SQLModel", "BaseSettings"), "pydantic"),
    **dict.fromkeys(("Flag", "IntFlag"), "flag"),
    **dict.fromkeys(("Enum", "IntEnum", "StrEnum"), "enum"),
}


class ClassReader:
    """Reads classes for one contract. `sent`: as whoever makes an instance sends it, else as it is taken."""

    def __init__(self, field: Field, words: Words, leave_open: Callable[[Unreadable], None], *, sent: bool) -> None:
        self._field, self._words, self._leave_open, self._sent = field, words, leave_open, sent
        self._tags: dict[int, tuple[Schema, str]] = {}  # by the id of a schema, which is kept so that it stays its own
        self._rename: Rename | None = None  # how the class being read makes the names of its fields
        self._by_name = False  # whether it takes its fields under the names in the code as well
        self._choices: list[Schema] = []  # of its fields those of which one of several names must be there
        self.bound: dict[int, Schema] = {}  # id of the call that makes a type variable -> what it stands for here

    def find_tag(self, schema: Schema) -> str | None:
        """The field that tells a struct from others, by the schema that was read of it."""
        return self._tags[id(schema)][1] if id(schema) in self._tags else None

    def bind(self, node: ast.AST, resolve: Resolve, arguments: Sequence[ast.expr], inner: Resolve, depth: int) -> None:
        """Let the type variables of a generic class or alias stand for `arguments`, in the words of `resolve`."""
        variables = list_type_variables(node, inner)
        values: list[tuple[ast.Call, Schema]] = []
        left = list(arguments)
        for place, variable in enumerate(variables):
            behind = len(variables) - place - 1
            if read_dotted_name(variable.func).rpartition(".")[2] == "TypeVarTuple":
                many, left = left[: max(len(left) - behind, 0)], left[max(len(left) - behind, 0) :]
                values.append((variable, type_forms.build_tuple([self._field(m, resolve, depth + 1)[0] for m in many])))
            elif left:
                values.append((variable, self._field(left.pop(0), resolve, depth + 1)[0]))
            elif not any(k.arg == "default" for k in variable.keywords):  # one that has is read as that (PEP 696)
                left.append(ast.Constant(None))
                break
        if left:
            name = getattr(node, "name", "the alias")
            raise Unreadable(node, f"{name} is generic in another way than its type variables say")
        self.bound = {**self.bound, **{id(variable): value for variable, value in values}}

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
        root = _find_root(node, resolve, depth) if kind == "pydantic" else None
        if root is not None:
            return self._field(root, resolve, depth + 1)[0]
        rows: Rows = {}
        before = self._rename, self._by_name, self._choices
        is_model = kind == "pydantic"
        self._rename = _find_generator(node, resolve, depth) if is_model else None
        self._by_name, self._choices = is_model and not self._sent and _is_by_name(node, resolve, depth), []
        try:
            extra = self._collect_fields(node, resolve, depth, kind, rows)
            choices = self._choices
        finally:
            self._rename, self._by_name, self._choices = before
        if kind == "struct":
            return self._build_struct(node, resolve, depth, rows)
        if kind == "namedtuple":
            # A NamedTuple is sent as a list: JSON has no names for the places.
            places = type_forms.build_tuple([s for s, _ in rows.values()])
            needed = sum(is_needed for _, is_needed in rows.values())
            return places if needed == len(rows) else {**places, "minItems": needed}
        schema = type_forms.build_object(((n, s, r) for n, (s, r) in rows.items()), extra=extra)
        if choices:
            schema["allOf"] = choices
        described = ast.get_docstring(node)
        return {**schema, "description": described} if described else schema

    def _collect_fields(self, node: ast.ClassDef, resolve: Resolve, depth: int, kind: str, rows: Rows) -> Extra:
        """Fill `rows` with the fields of the class and of its bases; returns what the class says of extra fields."""
        extra = self._collect_inherited(node, resolve, depth, kind, rows)
        if kind == "typeddict":
            extra = self._read_further_items(node, extra, resolve, depth)
        for k in node.keywords:
            if k.arg == "extra":
                extra = _read_extra(k.value, extra)
        if kind == "struct":
            self._rename = _find_struct_rule(node, resolve, depth)
        is_bare = _is_classic_attrs(node, resolve)
        if kind == "dataclass" and not node.decorator_list:
            return extra  # what nobody decorates adds no field, below a dataclass or beside it
        for line in node.body:
            if kind == "pydantic":
                extra = self._read_pydantic_line(node, line, extra, resolve, depth, rows)
            line = _annotate_attribute(line, resolve) if kind == "dataclass" else line
            if is_bare and not (isinstance(line, ast.AnnAssign) and isinstance(line.value, ast.Call)):
                continue  # `attr.s` takes what `attr.ib` makes, and nothing else
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                try:
                    self._read_field_line(node, line, line.target.id, kind, resolve, depth, rows)
                except Unreadable as e:
                    self._leave_open(e)
                    rows[line.target.id] = ({}, False)
        return extra

    def _read_further_items(self, node: ast.ClassDef, before: Extra, resolve: Resolve, depth: int) -> Extra:
        """What a TypedDict says of keys that it does not name (PEP 728)."""
        for k in node.keywords:
            if k.arg == "closed" and is_value(k.value, True):
                return False
            if k.arg == "extra_items":
                return self._field(k.value, resolve, depth + 1)[0]
        return before

    def _collect_inherited(self, node: ast.ClassDef, resolve: Resolve, depth: int, kind: str, rows: Rows) -> Extra:
        """The same of the bases, with what a generic one is given."""
        extra: Extra = None
        # Backwards, as Python resolves them: what the first base says stands last, and so wins.
        for base in reversed(node.bases):
            arguments = _list_arguments(base)
            if isinstance(base, ast.Subscript):
                if resolve_word(base.value, resolve, depth) == "Generic":
                    continue
                base = base.value
            definition = look_up_name(resolve, read_dotted_name(base), base)
            if arguments and (definition is None or not isinstance(definition[0], ast.ClassDef)):
                raise Unreadable(node, f"{node.name} is generic")
            if definition and isinstance(definition[0], ast.ClassDef) and depth < MAX_DEPTH:
                bound = self.bound
                if arguments:
                    self.bind(definition[0], resolve, arguments, definition[1], depth)
                inherited = self._collect_fields(definition[0], definition[1], depth + 1, kind, rows)
                self.bound = bound  # what its variables stand for there holds there alone
                extra = inherited if inherited is not None else extra
        return extra

    def _read_pydantic_line(
        self, node: ast.ClassDef, line: ast.stmt, extra: Extra, resolve: Resolve, depth: int, rows: Rows
    ) -> Extra:
        """What a line of a model says beside its fields: its configuration, computed fields, serializers."""
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
                is_called = any(isinstance(d, ast.Call) for d in line.decorator_list)
                if self._rename is not None or line.returns is None or is_called:
                    raise Unreadable(node, f"the computed field {node.name}.{line.name} must be evaluated")
                rows[line.name] = (self._field(line.returns, resolve, depth + 1)[0], True)
        return extra

    def _build_struct(self, node: ast.ClassDef, resolve: Resolve, depth: int, rows: Rows) -> Schema:
        """A `msgspec.Struct`, in the form that it is written with."""
        words = _list_struct_words(node, resolve, depth)
        array, shut = (is_value(words.get(word, node), True) for word in ("array_like", "forbid_unknown_fields"))
        tag = _read_tag(node, words, resolve, depth)
        if tag is not None:  # one type alone is taken without its tag
            tag_field = str(read_constant(words.get("tag_field", ast.Constant("type")), resolve, depth))
            rows = {tag_field: ({"const": tag}, self._sent or array), **rows}
        if not array:
            built = type_forms.build_object(((n, s, r) for n, (s, r) in rows.items()), extra=False if shut else None)
            if tag is not None:
                self._tags[id(built)] = built, tag_field
            return built
        if "kw_only" in words:
            raise Unreadable(node, f"the order of {node.name} must be evaluated")
        schema: Schema = {"type": "array", "prefixItems": [part for part, _ in rows.values()]}
        if needed := sum(is_needed for _, is_needed in rows.values()):
            schema["minItems"] = needed
        return {**schema, "items": False} if self._sent or shut else schema

    def _read_field_line(
        self, node: ast.ClassDef, line: ast.AnnAssign, name: str, kind: str, resolve: Resolve, depth: int, rows: Rows
    ) -> None:
        """One field."""
        annotation = line.annotation.value if isinstance(line.annotation, ast.Subscript) else line.annotation
        word = read_dotted_name(annotation).rpartition(".")[2]
        if word in ("ClassVar", "KW_ONLY") or (word == "InitVar" and self._sent):  # none is a field
            return
        if word == "InitVar" and isinstance(line.annotation, ast.Subscript):  # asked for, and not kept
            line = ast.copy_location(ast.AnnAssign(line.target, line.annotation.slice, line.value, 1), line)
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
        required, paths, schema = self._read_default(line, schema, resolve, depth)
        if paths is None:
            paths = [(name if self._rename is None else self._rename(name),)]
        if self._by_name and (name,) not in paths:
            paths.append((name,))
        if self._sent or [len(path) for path in paths] == [1]:
            # Whoever takes it may leave it out; whoever sends an instance has it, from the default.
            rows.update((str(first), (schema, required or self._sent)) for first, *_ in paths[:1])
            return
        for first, *rest in paths:
            part, is_needed = _nest(rest, schema, is_needed=False), False
            if rest and first in rows:  # two fields are read from within one
                part, is_needed = {"allOf": [rows[str(first)][0], part]}, rows[str(first)][1]
            rows[str(first)] = (part, is_needed)
        if required:
            self._choices.append(type_forms.build_union([_nest(path, {}, is_needed=True) for path in paths]))

    def _read_default(
        self, line: ast.AnnAssign, schema: Schema, resolve: Resolve, depth: int
    ) -> tuple[bool, list[Path] | None, Schema]:
        """Whether a field must be given, where it stands in the data (None: under its own name; nowhere: it is left
        out), and its schema."""
        value = line.value
        if value is None:
            return True, None, schema
        if isinstance(value, ast.Call) and resolve_word(value.func, resolve, depth) in _FIELDS:
            words = {k.arg: k.value for k in value.keywords}
            if self._sent and is_value(words.get("exclude", value), True):
                return False, [], schema
            # The alias of its own direction goes before the common one, as pydantic has it.
            alias = words.get(f"{'serialization' if self._sent else 'validation'}_alias") or words.get("alias")
            alias = words.get("name") or alias  # of msgspec
            paths = None if alias is None else _read_paths(alias, resolve, depth)
            schema = self._words(schema, value.keywords, resolve, depth)
            first = value.args[0] if value.args else words.get("default")
            # `...` in place of a default is pydantic's way to say that there is none.
            absent = first is None or (isinstance(first, ast.Constant) and first.value is ...)
            return absent and not words.keys() & {"default_factory", "factory"}, paths, schema
        return isinstance(value, ast.Constant) and value.value is ..., None, schema


def _read_paths(alias: ast.expr, resolve: Resolve, depth: int) -> list[Path]:
    """Where a field may stand in the data: `"name"`, `AliasPath("address", "city")`, `AliasChoices(…)` of both."""
    match alias:
        case ast.Call(func=func, args=parts) if resolve_word(func, resolve, depth) == "AliasChoices":
            return [path for part in parts for path in _read_paths(part, resolve, depth)]
        case ast.Call(func=func, args=parts) if resolve_word(func, resolve, depth) == "AliasPath":
            return [tuple(read_constant(part, resolve, depth) for part in parts)]
    return [(str(read_constant(alias, resolve, depth)),)]


def _nest(path: Sequence[str | int], schema: Schema, *, is_needed: bool) -> Schema:
    """What a value is that has `schema` at a path within it. Not needed: whatever has no such path will do."""
    for part in reversed(path):
        if isinstance(part, int):
            schema = {"prefixItems": [*({} for _ in range(part)), schema]}
            schema |= {"type": "array", "minItems": part + 1} if is_needed else {}
        else:
            schema = {"properties": {part: schema}} | ({"type": "object", "required": [part]} if is_needed else {})
    return schema


def _list_arguments(node: ast.expr) -> list[ast.expr]:
    """What stands in the brackets of `Box[int, str]`; nothing where there are none."""
    if not isinstance(node, ast.Subscript):
        return []
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def is_alias_type(node: ast.AST) -> bool:
    """Whether it is a call of `TypeAliasType`."""
    return isinstance(node, ast.Call) and read_dotted_name(node.func).rpartition(".")[2] == "TypeAliasType"


def list_type_variables(node: ast.AST, resolve: Resolve) -> list[ast.Call]:
    """The calls that make the type variables of a class or an alias, in the order in which it is given values."""
    parts: list[ast.AST] = [node]
    if isinstance(node, ast.ClassDef):
        generic = [base for base in node.bases if isinstance(base, ast.Subscript)]
        named = [base for base in generic if resolve_word(base.value, resolve, 0) in ("Generic", "Protocol")]
        parts = [base.slice for base in named or generic]
    elif isinstance(node, ast.Call) and is_alias_type(node):
        parts = [k.value for k in node.keywords if k.arg == "type_params"]
    variables: dict[int, ast.Call] = {}
    for part in parts:
        for name in _iter_names(part):
            definition = look_up_name(resolve, read_dotted_name(name), name)
            found = definition[0] if definition is not None else None
            if isinstance(found, ast.Call) and read_dotted_name(found.func).rpartition(".")[2] in _VARIABLES:
                variables[id(found)] = found
    return list(variables.values())


_VARIABLES = ("TypeVar", "TypeVarTuple")


def _iter_names(node: ast.AST) -> Iterator[ast.Name | ast.Attribute]:
    """The names in an expression, in the order in which they stand there."""
    if isinstance(node, ast.Name | ast.Attribute):
        yield node
    else:
        for child in ast.iter_child_nodes(node):
            yield from _iter_names(child)


def find_kind(node: ast.ClassDef, resolve: Resolve, depth: int) -> str | None:
    """Which kind of class it is, by its decorators and bases; None where it is not one that holds data."""
    for decorator in node.decorator_list:
        target = _follow_decorator(decorator, resolve)
        if resolve_word(target, resolve, depth) in _MAKERS:
            return "dataclass"
        if find_imported_name(resolve, read_dotted_name(target)) in _CLASSIC:
            return "dataclass"
    for base in node.bases:
        if isinstance(base, ast.Subscript):
            base = base.value
        if not isinstance(base, ast.Name | ast.Attribute):
            continue
        kind = _KINDS.get(resolve_word(base, resolve, depth))
        if kind is not None:
            return kind
        if find_imported_name(resolve, read_dotted_name(base)) == "msgspec.Struct":
            return "struct"
        definition = look_up_name(resolve, read_dotted_name(base), base)
        if definition and isinstance(definition[0], ast.ClassDef) and depth < MAX_DEPTH:
            kind = find_kind(definition[0], definition[1], depth + 1)
            if kind:  # a plain subclass of a dataclass adds no fields, yet has them
                return kind
    return None


_MAKERS = ("dataclass", "define", "frozen", "attrs", "mutable", "make_dataclass")


def _follow_decorator(decorator: ast.expr, resolve: Resolve) -> ast.expr:
    """What is called, also by way of `made = partial(dataclass, frozen=True)`."""
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    definition = look_up_name(resolve, read_dotted_name(target), target)
    match definition and definition[0]:
        case ast.Call(func=func, args=[inner, *_]) if read_dotted_name(func).rpartition(".")[2] == "partial":
            return inner
    return target


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


def _read_extra(node: ast.AST, before: Extra) -> Extra:
    extra_by_word = {"forbid": False, "allow": True, "ignore": None}
    text = node.value if isinstance(node, ast.Constant) else getattr(node, "attr", None)
    # "ignore" is the default of pydantic: further fields pass and vanish, which is what None says.
    return extra_by_word.get(str(text), before)


_NAMING = frozenset({"alias", "validation_alias", "serialization_alias", "exclude", "default", "default_factory"})


_FIELDS = ("Field", "field", "ib", "attrib")
_CLASSIC = ("attr.s", "attr.attrs", "attr.attributes")  # the older decorator, beside which `attr.ib` makes the fields


def _is_classic_attrs(node: ast.ClassDef, resolve: Resolve) -> bool:
    """Whether a class has those fields alone that `attr.ib` makes."""
    for decorator in node.decorator_list:
        words = decorator.keywords if isinstance(decorator, ast.Call) else []
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if find_imported_name(resolve, read_dotted_name(target)) in _CLASSIC:
            return not any(k.arg == "auto_attribs" and is_value(k.value, True) for k in words)
    return False


def _annotate_attribute(line: ast.stmt, resolve: Resolve) -> ast.stmt:
    """`x = attr.ib(type=int)` as `x: int = attr.ib()`, which says the same; any other line as it is."""
    match line:
        case ast.Assign(targets=[ast.Name() as target], value=ast.Call(func=func, keywords=words) as call):
            if (find_imported_name(resolve, read_dotted_name(func)) or "").partition(".")[0] in ("attr", "attrs"):
                hint = next((k.value for k in words if k.arg == "type"), ast.Name("object", ast.Load()))
                return ast.copy_location(ast.AnnAssign(target, hint, call, 1), line)
    return line


def _iter_lineage(node: ast.ClassDef, resolve: Resolve, depth: int) -> Iterator[tuple[ast.ClassDef, Resolve]]:
    """A class and the project's classes that it inherits from, nearest first."""
    yield node, resolve
    for base in node.bases:
        target = base.value if isinstance(base, ast.Subscript) else base
        definition = look_up_name(resolve, read_dotted_name(target), target)
        if definition is not None and isinstance(definition[0], ast.ClassDef) and depth < MAX_DEPTH:
            yield from _iter_lineage(definition[0], definition[1], depth + 1)


def _list_struct_words(node: ast.ClassDef, resolve: Resolve, depth: int) -> dict[str, ast.expr]:
    """What a struct says of its form, itself or by its bases."""
    words: dict[str, ast.expr] = {}
    for struct, _ in _iter_lineage(node, resolve, depth):
        words = {**{k.arg: k.value for k in struct.keywords if k.arg}, **words}
    return words


def _find_struct_rule(node: ast.ClassDef, resolve: Resolve, depth: int) -> Rename | None:
    rename = _list_struct_words(node, resolve, depth).get("rename")
    if rename is None or is_value(rename, None):
        return None
    rule = STRUCT_RULES.get(str(getattr(rename, "value", None)))
    if rule is None:
        raise Unreadable(node, f"{node.name} makes the names of its fields")
    return rule


def _read_tag(node: ast.ClassDef, words: dict[str, ast.expr], resolve: Resolve, depth: int) -> Any:
    """The tag of a struct; None where it has none."""
    tag = words.get("tag")
    if is_value(tag or node, False) or (tag is None and "tag_field" not in words):
        return None
    if tag is None or is_value(tag, True) or is_value(tag, None):
        return node.name
    if read_dotted_name(tag) in ("str.lower", "str.upper"):
        return node.name.lower() if read_dotted_name(tag) == "str.lower" else node.name.upper()
    return read_constant(tag, resolve, depth)


def _find_root(node: ast.ClassDef, resolve: Resolve, depth: int) -> ast.expr | None:
    """What a `RootModel` is in the data; None for a model with fields."""
    for base in node.bases:
        target = base.value if isinstance(base, ast.Subscript) else base
        if resolve_word(target, resolve, depth) == "RootModel":
            hints = [line.annotation for line in node.body if isinstance(line, ast.AnnAssign)]
            return next(iter([*hints, *_list_arguments(base)]), None)
    return None


def _find_generator(node: ast.ClassDef, resolve: Resolve, depth: int) -> Rename | None:
    """What makes the names of a model's fields. Raises Unreadable for a function of the project, as it would have to be
    run."""
    for model, names in _iter_lineage(node, resolve, depth):
        word = next(_iter_config(model, "alias_generator"), None)
        if word is None:
            continue
        if is_value(word, None):
            return None
        rename = find_alias_generator(find_imported_name(names, read_dotted_name(word)))
        if rename is None:
            raise Unreadable(model, f"{model.name} makes the names of its fields")
        return rename
    return None


def _is_by_name(node: ast.ClassDef, resolve: Resolve, depth: int) -> bool:
    """Whether a model takes its fields under their own names, beside their aliases."""
    lineage = [model for model, _ in _iter_lineage(node, resolve, depth)]
    words = ("populate_by_name", "validate_by_name")
    stated = [next((v for model in lineage for v in _iter_config(model, word)), node) for word in words]
    return any(is_value(value, True) for value in stated)


def _iter_config(node: ast.ClassDef, word: str) -> Iterator[ast.expr]:
    """A word of a model's configuration: of its class, of its `model_config` or of its `class Config`."""
    yield from (k.value for k in node.keywords if k.arg == word)
    for line in node.body:
        if isinstance(line, ast.ClassDef) and line.name == "Config":
            for inner in line.body:
                if isinstance(inner, ast.Assign) and read_dotted_name(inner.targets[0]) == word:
                    yield inner.value
                elif word == "alias_generator" and word in ast.dump(inner):
                    raise Unreadable(node, f"{node.name} makes the names of its fields")
        target = line.targets[0] if isinstance(line, ast.Assign) else getattr(line, "target", None)
        if isinstance(line, ast.Assign | ast.AnnAssign) and read_dotted_name(target) == "model_config":
            value = line.value
            words = [(k.arg, k.value) for k in value.keywords] if isinstance(value, ast.Call) else []
            if isinstance(value, ast.Dict):
                words = [(getattr(k, "value", None), v) for k, v in zip(value.keys, value.values, strict=True)]
            yield from (value for name, value in words if name == word)


def _read_config(line: ast.Assign | ast.AnnAssign, before: Extra) -> Extra:
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
