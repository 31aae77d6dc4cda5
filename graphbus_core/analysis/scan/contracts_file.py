"""`contracts.toml`: contracts that stand beside the code, for whoever wants no import of ours in it.

[types.Line]                      # a record, by its fields; `?` says that a field may be left out
sku = "str"
"qty?" = "int"

["shop.cart:Cart.order"]          # module, class and method; or module and function
input = { lines = "list[Line]" }  # a type as in a hint, or a table of fields
output = "Line | None"
depends_on = ["Stock.level"]      # whose output the input takes
map = { count = "qty" }           # a field of the method -> the field that is sent, of what it depends on or hears
convert = { cents = "shop.money:to_cents" }  # of what a handler hears: the function that makes its value
description = "…"

["shop.cart:Cart"]                # takes part as it is: its hints are its contracts

[external]                        # of components written elsewhere: whose output an operation takes
"Billing.create_invoice" = ["Cart.order"]
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from graphbus_core.contracts import Contract
from graphbus_core.contracts.parsing import static
from graphbus_core.contracts.parsing.json_schema import is_likely_json_schema
from graphbus_core.errors import ConfigError, ContractError
from graphbus_core.model.schema import Schema
from graphbus_core.suggestions import suggest_names

# A type as it stands in `contracts.toml`, as the expression that an author would have written in code.
#
# The one reader of types (`contracts.reading.static`) then reads it: what a hint may say, an entry may say.


MAX_DEPTH = 40


class TypeMistake(Exception):
    """What is wrong, and under which keys."""

    def __init__(self, why: str, path: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.path = path


def parse_type(raw: Any, depth: int = 0) -> ast.expr:
    """A text as in a hint, a table of fields, or a list of one of them. Raises Mistake."""
    if depth > MAX_DEPTH:
        raise TypeMistake("it is nested too deeply")
    match raw:
        case str():
            try:
                return ast.parse(raw.strip(), mode="eval").body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                raise TypeMistake(
                    f"{raw!r} is not a type; write one as in a hint, such as 'list[str] | None'"
                ) from None
        case dict():
            keys: list[ast.expr | None] = []
            values: list[ast.expr] = []
            for name, item in _parse_fields(raw, depth):
                keys.append(ast.Constant(name))
                values.append(item)
            return _set_location(ast.Dict(keys, values))
        case [item]:
            return _set_location(ast.List([parse_type(item, depth + 1)], ast.Load()))
    raise TypeMistake(f"{raw!r} is not a type; write a text such as 'int', or a table of fields")


def build_record(name: str, fields: Mapping[str, Any]) -> ast.AST:
    """A record under a name, which may hold itself: a class where its fields are words, else a table."""
    field_types = list(_parse_fields(fields, 0))
    if not all(field_name.isidentifier() for field_name, _ in field_types):
        return parse_type(fields)
    body: list[ast.stmt] = [
        ast.AnnAssign(ast.Name(field_name, ast.Store()), type_, None, 1) for field_name, type_ in field_types
    ]
    cls = ast.ClassDef(name, [ast.Name("TypedDict", ast.Load())], [], body or [ast.Pass()], [])
    cls.lineno, cls.col_offset = 1, 0
    return ast.fix_missing_locations(cls)


def _parse_fields(raw: Mapping[str, Any], depth: int) -> list[tuple[str, ast.expr]]:
    fields: list[tuple[str, ast.expr]] = []
    for key, value in raw.items():
        try:
            field_type = parse_type(value, depth + 1)
        except TypeMistake as e:
            raise TypeMistake(str(e), (key, *e.path)) from None
        name = key.removesuffix("?")
        if any(name == other for other, _ in fields):
            raise TypeMistake(f"the field {name!r} is there twice", (key,))
        if name != key:  # TOML has no null, and no presence: a question mark says it, as in TypeScript
            field_type = _set_location(ast.Subscript(ast.Name("NotRequired", ast.Load()), field_type, ast.Load()))
        fields.append((name, field_type))
    return fields


def _set_location(node: ast.expr) -> ast.expr:
    node.lineno, node.col_offset = 1, 0
    return ast.fix_missing_locations(node)


SIDES = ("input", "output")
KEYS = (*SIDES, "depends_on", "description", "map", "convert")
UNDECLARED = "undeclared"  # says of a side that its hints are not a contract
MAX_BYTES = 5_000_000


@dataclass(frozen=True)
class Declaration:
    """What the file says of one component, method or function. `sides` holds those that it writes out.

    None there is "not declared". `place` is file and line; `places` those of the sides.
    """

    module: str
    name: str
    place: str
    sides: Mapping[str, ast.expr | Schema | None] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    depends_on: tuple[str, ...] = ()
    description: str | None = None
    types: Mapping[str, ast.AST] = field(default_factory=dict, repr=False)
    fields: Mapping[str, str] = field(default_factory=dict)  # what is mapped: its own field -> the one that is sent
    conversions: Mapping[str, str] = field(default_factory=dict)  # its own field -> `module:function`

    @property
    def components(self) -> tuple[str, ...]:
        """Who takes part because of it: the class of a method too."""
        owner = self.name.rpartition(".")[0]
        return tuple(f"{self.module}:{part}" for part in (self.name, owner) if part)

    def read_schema(self, side: str, resolve: static.Resolve) -> Schema | None:
        """One side. Names are looked up in `[types]`, then as the component's module does. Raises ConfigError."""
        declared_type = self.sides[side]
        if not isinstance(declared_type, ast.expr):
            return declared_type
        read = static.read(declared_type, _build_type_resolver(self.types, resolve), side=side)
        if isinstance(read, static.NeedsImport):
            near = suggest_names(read.expression, self.types, sure=True)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise ConfigError(f"{self.places[side]}: {side} of {self.name}: `{read.expression}`: {read.reason}.{hint}")
        schema = read.to_json_schema()
        return Schema(schema, ast.unparse(declared_type), schema.get("description"))


@dataclass(frozen=True)
class ContractsFile:
    """A file as it was read. `entries` by `module:Name`. `fed`: external `Node.method` -> whose output it takes, and
    the place where that stands."""

    path: Path
    digest: str
    entries: Mapping[str, Declaration]
    fed: Mapping[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)


def read_contracts(path: Path, before: ContractsFile | None = None) -> ContractsFile:
    """Read a contracts file; `before` where its bytes are the same. Raises ConfigError, with file and line."""
    try:
        data = path.read_bytes()
    except OSError as e:
        raise ConfigError(f"{path} cannot be read: {e.strerror}.") from e
    digest = sha256(data).hexdigest()
    if before is not None and before.path == path and before.digest == digest:
        return before
    return parse_contracts(path, data)


def parse_contracts(path: Path, data: bytes) -> ContractsFile:
    """The same of bytes that may not stand there yet. Raises ConfigError."""
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{path} is larger than {MAX_BYTES:,} bytes. Split the project, or name fewer components.")
    try:
        text = data.decode()
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise ConfigError(f"{path} is not TOML: {e}. Mend that line.") from e
    reading = _ContractsReader(path.name, text)
    entries = {f"{declaration.module}:{declaration.name}": declaration for declaration in reading.read_entries(tables)}
    return ContractsFile(path, sha256(data).hexdigest(), entries, reading.read_feeds(tables.get("external", {})))


class _ContractsReader:
    """One file being read; it knows where everything stands."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.lines = _index_lines(text)

    def read_entries(self, tables: Mapping[str, Any]) -> Iterator[Declaration]:
        types = self._read_types(tables.get("types", {}))
        for name, table in tables.items():
            if name not in ("types", "external"):
                yield self._read_entry(name, table, types)

    def read_feeds(self, table: Any) -> dict[str, tuple[tuple[str, ...], str]]:
        """What feeds the operations of components that are written elsewhere. Raises ConfigError."""
        if not isinstance(table, dict):
            raise ConfigError(f"{self._locate('external')}: `external` is a table; write [external].")
        return {
            n: (self._read_names(producers, "external", n), self._locate("external", n))
            for n, producers in table.items()
        }

    def _locate(self, *path: str) -> str:
        """`contracts.toml:12`; of what stands inside an inline table, the line of that table."""
        while path and path not in self.lines:
            path = path[:-1]
        return f"{self.file}:{self.lines.get(path, 1)}"

    def _read_types(self, tables: Any) -> dict[str, ast.AST]:
        if not isinstance(tables, dict):
            raise ConfigError(f"{self._locate('types')}: `types` is a table; write [types.Order].")
        types_read: dict[str, ast.AST] = {}
        for name, definition in tables.items():
            if not name.isidentifier():
                raise ConfigError(f"{self._locate('types', name)}: a type's name is one word, not {name!r}.")
            try:
                types_read[name] = (
                    build_record(name, definition) if isinstance(definition, dict) else parse_type(definition)
                )
            except TypeMistake as e:
                raise ConfigError(f"{self._locate('types', name, *e.path)}: type {name}: {e}.") from None
        return types_read

    def _read_entry(self, name: str, table: Any, types: Mapping[str, ast.AST]) -> Declaration:
        module, colon, inner = name.partition(":")
        if not colon or not all(part.isidentifier() for part in (*module.split("."), *inner.split("."))):
            hint = " Records stand under [types.Name]." if name.isidentifier() else ""
            raise ConfigError(
                f"{self._locate(name)}: {name!r} names no component. Write the module, a colon, and the "
                f"class, method or "
                f'function, in quotes: ["shop.cart:Cart.order"].{hint}'
            )
        if not isinstance(table, dict):
            raise ConfigError(f'{self._locate(name)}: {name!r} is a table; write ["{name}"].')
        for key in table:
            if key not in KEYS:
                near = suggest_names(key, KEYS)
                hint = f" Did you mean `{near[0]}`?" if near else ""
                raise ConfigError(
                    f"{self._locate(name, key)}: there is no `{key}`; an entry has {', '.join(KEYS)}.{hint}"
                )
        return Declaration(
            module.removeprefix("src."),
            inner,
            self._locate(name),
            {side: self._read_side(name, side, table[side]) for side in SIDES if side in table},
            {side: self._locate(name, side) for side in SIDES if side in table},
            self._read_names(table.get("depends_on", []), name, "depends_on"),
            self._read_text(name, table.get("description")),
            types,
            self._read_pairs(name, "map", table),
            self._read_pairs(name, "convert", table),
        )

    def _read_side(self, name: str, side: str, raw: Any) -> ast.expr | Schema | None:
        if raw == UNDECLARED:
            return None
        if is_likely_json_schema(raw):
            try:
                schema = Contract.from_json_schema(raw).to_json_schema()
            except ContractError as e:
                raise ConfigError(f"{self._locate(name, side)}: {side} of {name}: {e}") from None
            return Schema(schema, None, schema.get("description"))
        try:
            return parse_type(raw)
        except TypeMistake as e:
            raise ConfigError(f"{self._locate(name, side, *e.path)}: {side} of {name}: {e}.") from None

    def _read_pairs(self, name: str, key: str, table: Mapping[str, Any]) -> dict[str, str]:
        pairs = table.get(key, {})
        if not isinstance(pairs, dict) or not all(isinstance(text, str) and text for text in pairs.values()):
            form = '{ count = "qty" }' if key == "map" else '{ cents = "shop.money:to_cents" }'
            raise ConfigError(f"{self._locate(name, key)}: `{key}` of {name} is a table of texts: {key} = {form}.")
        return pairs

    def _read_names(self, raw: Any, *key_path: str) -> tuple[str, ...]:
        some = [raw] if isinstance(raw, str) else raw
        if not isinstance(some, list) or not all(isinstance(item, str) and item for item in some):
            raise ConfigError(f'{self._locate(*key_path)}: `{key_path[-1]}` is a list of names: ["Stock.level"].')
        return tuple(some)

    def _read_text(self, name: str, raw: Any) -> str | None:
        if raw is not None and not isinstance(raw, str):
            raise ConfigError(f"{self._locate(name, 'description')}: `description` is a text, not {raw!r}.")
        return raw


def _build_type_resolver(types: Mapping[str, ast.AST], outer: static.Resolve) -> static.Resolve:
    def resolve_type(name: str) -> Any:  # a type of the file sees the other types, and the words of typing
        return (types[name], resolve_type) if name in types else None

    def resolve(name: str) -> Any:
        return resolve_type(name) or outer(name)

    resolve.imported = getattr(outer, "imported", lambda name: None)  # type: ignore[attr-defined]
    return resolve


_HEADER = re.compile(r"\s*\[\[?(?P<key>[^\[\]=#]+?)\]\]?\s*(#.*)?")
_KEY = re.compile(r"""\s*(?P<key>(?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")


def _index_lines(text: str) -> dict[tuple[str, ...], int]:
    """Where each table and key stands, by its path: tomllib keeps no lines. The last part of a path is its key."""
    line_numbers: dict[tuple[str, ...], int] = {}
    inside: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if head := _HEADER.fullmatch(line):
            inside = _parse_key(head["key"])
            line_numbers.setdefault(inside, number)
        elif key := _KEY.match(line):
            path = (*inside, *_parse_key(key["key"]))
            for end in range(len(inside) + 1, len(path) + 1):
                line_numbers.setdefault(path[:end], number)
    return line_numbers


def _parse_key(key_text: str) -> tuple[str, ...]:
    try:
        table: Any = tomllib.loads(f"{key_text.strip()} = 0")
    except tomllib.TOMLDecodeError:  # a line of a long text that looks like a key
        return ()
    path: list[str] = []
    while isinstance(table, dict):
        key, table = next(iter(table.items()))
        path.append(key)
    return tuple(path)
