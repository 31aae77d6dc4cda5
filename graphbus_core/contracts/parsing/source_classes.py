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

    def __init__(self, field: Field, words: Words, *, sent: bool) -> None:
        self._field, self._words, self._sent = field, words, sent
        self._rename: Rename | None = None  # how the class being read makes the names of its fields
        self.bound: dict[int, Schema] = {}  # id of the call that makes a type variable -> what it stands for here

    def bind(
        self, node: ast.ClassDef, resolve: Resolve, arguments: Sequence[ast.expr], inner: Resolve, depth: int
    ) -> None:
        """Let the type variables of a generic class stand for `arguments`, which are in the words of `resolve`."""
        variables = list_type_variables(node, inner)
        if len(variables) != len(arguments):
            raise Unreadable(node, f"{node.name} is generic in another way than its type variables say")
        values = [self._field(argument, resolve, depth + 1)[0] for argument in arguments]
        self.bound = {**self.bound, **{id(variable): value for variable, value in zip(variables, values, strict=True)}}

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
        before, self._rename = self._rename, _find_generator(node, resolve, depth) if kind == "pydantic" else None
        try:
            extra = self._collect_fields(node, resolve, depth, kind, rows)
        finally:
            self._rename = before
        if kind == "struct":
            return self._build_struct(node, resolve, depth, rows)
        if kind == "namedtuple":
            # A NamedTuple is sent as a list: JSON has no names for the places.
            places = type_forms.build_tuple([s for s, _ in rows.values()])
            needed = sum(is_needed for _, is_needed in rows.values())
            return places if needed == len(rows) else {**places, "minItems": needed}
        schema = type_forms.build_object(((n, s, r) for n, (s, r) in rows.items()), extra=extra)
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
        for line in node.body:
            if kind == "pydantic":
                extra = self._read_pydantic_line(node, line, extra, resolve, depth, rows)
            line = _annotate_attribute(line, resolve) if kind == "dataclass" else line
            if is_bare and not (isinstance(line, ast.AnnAssign) and isinstance(line.value, ast.Call)):
                continue  # `attr.s` takes what `attr.ib` makes, and nothing else
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                self._read_field_line(node, line, line.target.id, kind, resolve, depth, rows)
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
            return type_forms.build_object(((n, s, r) for n, (s, r) in rows.items()), extra=False if shut else None)
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
        required, written, schema = self._read_default(line, name, schema, resolve, depth)
        name = self._rename(name) if self._rename is not None and written == name else written
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
        if isinstance(value, ast.Call) and resolve_word(value.func, resolve, depth) in _FIELDS:
            words = {k.arg: k.value for k in value.keywords}
            if self._sent and is_value(words.get("exclude", value), True):
                return False, "", schema
            # The alias of its own direction goes before the common one, as pydantic has it.
            alias = words.get(f"{'serialization' if self._sent else 'validation'}_alias") or words.get("alias")
            alias = words.get("name") or alias  # of msgspec
            if alias is not None:
                name = str(read_constant(alias, resolve, depth))
            schema = self._words(schema, value.keywords, resolve, depth)
            first = value.args[0] if value.args else words.get("default")
            # `...` in place of a default is pydantic's way to say that there is none.
            absent = first is None or (isinstance(first, ast.Constant) and first.value is ...)
            return absent and not words.keys() & {"default_factory", "factory"}, name, schema
        if isinstance(value, ast.Constant) and value.value is ...:
            return True, name, schema
        return False, name, schema


def _list_arguments(node: ast.expr) -> list[ast.expr]:
    """What stands in the brackets of `Box[int, str]`; nothing where there are none."""
    if not isinstance(node, ast.Subscript):
        return []
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def list_type_variables(node: ast.ClassDef, resolve: Resolve) -> list[ast.Call]:
    """The calls that make the type variables of a class, in the order in which it is given values for them."""
    generic = [base for base in node.bases if isinstance(base, ast.Subscript)]
    named = [base for base in generic if resolve_word(base.value, resolve, 0) in ("Generic", "Protocol")]
    variables: dict[int, ast.Call] = {}
    for base in named or generic:
        for part in ast.walk(base.slice):
            definition = look_up_name(resolve, read_dotted_name(part), part)
            found = definition[0] if definition is not None else None
            if isinstance(found, ast.Call) and read_dotted_name(found.func).rpartition(".")[2] == "TypeVar":
                variables[id(found)] = found
    return list(variables.values())


def find_kind(node: ast.ClassDef, resolve: Resolve, depth: int) -> str | None:
    """Which kind of class it is, by its decorators and bases; None where it is not one that holds data."""
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if resolve_word(target, resolve, depth) in ("dataclass", "define", "frozen", "attrs", "mutable"):
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
        word = next(_iter_generators(model), None)
        if word is None:
            continue
        if is_value(word, None):
            return None
        rename = find_alias_generator(find_imported_name(names, read_dotted_name(word)))
        if rename is None:
            raise Unreadable(model, f"{model.name} makes the names of its fields")
        return rename
    return None


def _iter_generators(node: ast.ClassDef) -> Iterator[ast.expr]:
    """The `alias_generator` of a model: a word of its class, of its `model_config` or of its `class Config`."""
    yield from (k.value for k in node.keywords if k.arg == "alias_generator")
    for line in node.body:
        if isinstance(line, ast.ClassDef) and line.name == "Config":
            for inner in line.body:
                if isinstance(inner, ast.Assign) and read_dotted_name(inner.targets[0]) == "alias_generator":
                    yield inner.value
                elif "alias_generator" in ast.dump(inner):
                    raise Unreadable(node, f"{node.name} makes the names of its fields")
        target = line.targets[0] if isinstance(line, ast.Assign) else getattr(line, "target", None)
        if isinstance(line, ast.Assign | ast.AnnAssign) and read_dotted_name(target) == "model_config":
            value = line.value
            words = [(k.arg, k.value) for k in value.keywords] if isinstance(value, ast.Call) else []
            if isinstance(value, ast.Dict):
                words = [(getattr(k, "value", None), v) for k, v in zip(value.keys, value.values, strict=True)]
            yield from (value for name, value in words if name == "alias_generator")


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
