"""The fast road of payload checks: Python source made for one schema, compiled once.

What is compiled says "surely fine", by exact types (`type(x) is str`); everything else is looked at by `first.Search`,
which knows the whole of what a contract can say. A part without a fast test (`oneOf`, `not`) is asked of the search
from within. Nothing of a schema enters the source as text: names and constants are bound as variables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphbus_core.contracts.inclusion.patterns.spelled import compiled
from graphbus_core.contracts.reading.walk import SILENT, follow
from graphbus_core.contracts.values import formats
from graphbus_core.contracts.values.branches import discriminator, resolved, telling
from graphbus_core.contracts.values.first import Search

MAX_NODES = 5_000  # schemas within the schema that are compiled; parts beyond are searched
MAX_DEPTH = 40  # of one expression; what is deeper gets a function of its own
_EXACT = {"string": "str", "integer": "int", "boolean": "bool", "null": "NoneType"}
_BOUNDS = {"minimum": ">=", "maximum": "<=", "exclusiveMinimum": ">", "exclusiveMaximum": "<"}
_LENGTHS = {"minLength": ">=", "maxLength": "<=", "minItems": ">=", "maxItems": "<="}
_ALIKE = {"type", "enum", "const", "anyOf", "$ref", "allOf"}  # keywords that mean the same for every type
_OF_TYPE: dict[str, set[str]] = {
    "string": {"minLength", "maxLength", "pattern", "format"},
    "integer": {*_BOUNDS, "multipleOf"},
    "number": {*_BOUNDS, "multipleOf"},
    "array": {"items", "minItems", "maxItems", "prefixItems", "uniqueItems"},
    "object": {"properties", "required", "additionalProperties", "propertyNames"},
    "boolean": set(),
    "null": set(),
}
_EVERY_KEYWORD = set().union(*_OF_TYPE.values())
_CAUGHT = "(KeyError, TypeError, RecursionError)"


def compile_check(
    schema: Any, search: Search, counted: frozenset[str], slow: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    """A `check` that says None where the schema surely takes the payload, and asks `slow` where it may not.

    The tests of items, values and branches go to `search.tests`, by the id of their schema.
    """
    source = _Source(search, counted)
    test = source.test(schema, "v", 0)
    lines = [
        "def check(v):",
        "    try:",
        f"        if {test}:",
        "            return None",
        f"    except {_CAUGHT}:",
        "        pass",
        "    return slow(v)",
    ]
    scope: dict[str, Any] = {**source.scope, "slow": slow, "NoneType": type(None)}
    exec("\n".join([*source.functions, *source.late, *lines]), scope)  # our own text; see the docstring
    search.tests = {key: scope[name] for key, name in source.named.items()}
    made: Callable[[Any], Any] = scope["check"]
    return made


class _Source:
    """The source of one schema's tests, while it is written."""

    def __init__(self, search: Search, counted: frozenset[str]) -> None:
        self._search, self._counted = search, counted
        self.scope: dict[str, Any] = {}
        self.functions: list[str] = []
        self.named: dict[int, str] = {}  # id of a schema -> its function, written or being written
        self.late: list[str] = []  # lines that need every function to be written
        self._nodes = 0
        self._names = 0

    def _name(self, letter: str) -> str:
        """A name that nothing else has: it is taken before the parts within take theirs."""
        self._names += 1
        return f"{letter}{self._names}"

    def _bind(self, value: Any) -> str:
        if type(value) in (int, bool) or value is None:
            return repr(value)
        if type(value) is str and value.isascii() and value.isprintable() and len(value) < 100:
            return repr(value)  # repr of a plain text is always a text literal
        name = self._name("c")
        self.scope[name] = value
        return name

    # ---- one schema

    def test(self, schema: Any, at: str, depth: int) -> str:
        """An expression that is true only where the value fits; it may raise KeyError for a missing field."""
        if schema is True or schema == {}:
            return "True"
        if schema is False:
            return "False"
        self._nodes += 1
        if self._nodes > MAX_NODES:
            return self._searched(schema, at)
        if depth > MAX_DEPTH:
            return f"{self.function(schema)}({at})"
        said = set(schema) - SILENT
        kinds = schema.get("type")
        named = [kinds] if isinstance(kinds, str) else kinds
        if named is None and not said & _EVERY_KEYWORD - {"format"}:
            mine = _ALIKE | ({"format"} if schema.get("format") not in self._counted else set())
        elif isinstance(named, list):
            mine = _ALIKE.union(*(_OF_TYPE[k] for k in named)) | _EVERY_KEYWORD
        else:
            return self._searched(schema, at)
        if not said <= mine:
            return self._searched(schema, at)
        parts = [self._types(schema, named, at, depth)] if named is not None and not _constant(schema) else []
        parts += [
            self._alike(key, schema, at, depth) for key in ("enum", "const", "$ref", "anyOf", "allOf") if key in said
        ]
        parts = [p for p in parts if p != "True"]
        return " and ".join(parts) if parts else "True"

    def _types(self, schema: dict[str, Any], named: list[str], at: str, depth: int) -> str:
        said = set(schema)
        if len(named) == 1:
            return self._typed(schema, named[0], at, depth)
        plain = [k for k in named if k in _EXACT and not said & _OF_TYPE[k] - self._uncounted(schema)]
        tests = [f"type({at}) in {self._bind(frozenset(_PYTHON[k] for k in plain))}"] if plain else []
        tests += [
            f"({self._typed(schema, k, at, depth)})" for k in named if k not in plain and k not in ("array", "object")
        ]
        # What has fields may raise KeyError, which must not end the test of the other types.
        tests += [f"{self._alone(schema, k)}({at})" for k in named if k in ("array", "object")]
        return f"({' or '.join(tests)})" if len(tests) > 1 else tests[0]

    def _uncounted(self, schema: dict[str, Any]) -> set[str]:
        name = schema.get("format")
        return set() if name in self._counted and name != "binary" else {"format"}

    def _typed(self, schema: dict[str, Any], kind: str, at: str, depth: int) -> str:
        if kind in ("number", "integer"):
            return self._number(schema, kind, at)
        if kind == "string":
            return self._string(schema, at)
        if kind == "array":
            return self._array(schema, at, depth)
        if kind == "object":
            return self._object(schema, at, depth)
        return f"type({at}) is {_EXACT[kind]}"

    def _alone(self, schema: dict[str, Any], kind: str) -> str:
        one = {k: v for k, v in schema.items() if k in _OF_TYPE[kind]}
        kept = {"type": kind, **one}
        self.scope[self._name("k")] = kept  # kept alive, so that its id stays its own
        return self.function(kept)

    def _alike(self, key: str, schema: dict[str, Any], at: str, depth: int) -> str:
        if key in ("enum", "const"):
            return self._values(schema, schema["enum"] if key == "enum" else [schema["const"]], at)
        if key == "$ref":
            return f"{self.function(follow(self._search.document, schema['$ref']))}({at})"
        if key == "allOf":
            return " and ".join(f"{self.function(s)}({at})" for s in schema["allOf"]) or "True"
        return self._any_of(schema["anyOf"], at, depth)

    def _searched(self, schema: Any, at: str) -> str:
        name = self._name("s")
        find = self._search.find
        self.scope[name] = lambda value: find(schema, value) is None
        return f"{name}({at})"

    def function(self, schema: Any) -> str:
        """The name of a function that tests one schema, and never raises; the same for the same schema."""
        name = self.named.get(id(schema))
        if name is None:
            name = self.named[id(schema)] = self._name("f")
            self._write(name, [f"return {self.test(schema, 'v', 1)}"])
        return name

    def _write(self, name: str, body: list[str]) -> None:
        inner = [f"        {line}" for line in body]
        lines = [f"def {name}(v):", "    try:", *inner, f"    except {_CAUGHT}:", "        return False"]
        self.functions.append("\n".join(lines))

    # ---- types

    def _number(self, schema: dict[str, Any], kind: str, at: str) -> str:
        parts = [f"type({at}) is int" if kind == "integer" else f"(type({at}) is int or type({at}) is float)"]
        parts += [f"{at} {_BOUNDS[k]} {self._bind(schema[k])}" for k in _BOUNDS if k in schema]
        step = schema.get("multipleOf")
        if type(step) is int:
            parts.append(f"type({at}) is int and {at} % {step} == 0")
        elif step is not None:
            parts.append(self._searched({"multipleOf": step}, at))
        if kind == "number":
            parts.append(f"{at} - {at} == 0")  # neither infinite nor NaN: those have no JSON form
        return " and ".join(parts)

    def _string(self, schema: dict[str, Any], at: str) -> str:
        parts = [f"type({at}) is str"]
        parts += [f"len({at}) {_LENGTHS[k]} {self._bind(schema[k])}" for k in ("minLength", "maxLength") if k in schema]
        if "pattern" in schema:
            parts.append(f"{self._bind(compiled(schema['pattern']).search)}({at}) is not None")
        name = schema.get("format")
        if name in self._counted and name != "binary":
            parts.append(f"{self._bind(formats.rule(name))}({at})")
        return " and ".join(parts)

    def _array(self, schema: dict[str, Any], at: str, depth: int) -> str:
        prefix = schema.get("prefixItems")
        if prefix is not None or schema.get("uniqueItems") is True:
            return self._fixed(schema, prefix or [], at, depth)
        parts = [f"type({at}) is list"]
        parts += [f"len({at}) {_LENGTHS[k]} {self._bind(schema[k])}" for k in ("minItems", "maxItems") if k in schema]
        rest = schema.get("items", True)
        if rest is not True and rest != {}:
            parts.append(f"{self._loop(rest, 'v')}({at})")
        return " and ".join(parts)

    def _fixed(self, schema: dict[str, Any], prefix: list[Any], at: str, depth: int) -> str:
        """A tuple of known length; other prefixes, and unique items, are searched."""
        whole = schema.get("minItems") == schema.get("maxItems") == len(prefix) and "uniqueItems" not in schema
        if not whole:
            return self._searched(schema, at)
        parts = [f"(type({at}) is list or type({at}) is tuple) and len({at}) == {len(prefix)}"]
        parts += [self._within(one, f"{at}[{i}]", depth) for i, one in enumerate(prefix)]
        return " and ".join(p for p in parts if p != "True")

    def _loop(self, schema: Any, over: str) -> str:
        """The name of a function that tests every item, or every value of a mapping."""
        name = self._name("f")
        inner = self.test(schema, "i", 1)
        if id(schema) not in self.named and isinstance(schema, dict):
            self.function(schema)  # the search passes over good items by it
        self._write(name, [f"for i in {over}:", f"    if not ({inner}):", "        return False", "return True"])
        return name

    def _within(self, schema: Any, at: str, depth: int) -> str:
        """The test of a part: of a function of its own, where it has fields itself."""
        if isinstance(schema, dict) and schema.get("type") == "object":
            return f"{self.function(schema)}({at})"
        one = self.test(schema, at, depth + 1)
        return f"({one})" if " or " in one else one

    def _object(self, schema: dict[str, Any], at: str, depth: int) -> str:
        fields, required = schema.get("properties", {}), schema.get("required", [])
        parts = [f"type({at}) is dict"]
        for name in dict.fromkeys([*fields, *required]):
            key, sub = self._bind(name), fields.get(name, True)
            if name not in required:
                if sub is not True and sub != {}:
                    parts.append(f"({key} not in {at} or {self._within(sub, f'{at}[{key}]', depth)})")
            elif sub is True or sub == {}:
                parts.append(f"{key} in {at}")
            else:
                parts.append(self._within(sub, f"{at}[{key}]", depth))
        parts += self._further(schema, fields, set(required), at)
        return " and ".join(parts)

    def _further(self, schema: dict[str, Any], fields: dict[str, Any], required: set[str], at: str) -> list[str]:
        """What is said of fields that are not named, and of names."""
        parts = []
        more = schema.get("additionalProperties", True)
        if more is False and fields.keys() == required:
            parts.append(f"len({at}) == {len(required)}")
        elif more is False:
            parts.append(f"{at}.keys() <= {self._bind(frozenset(fields))}")
        elif more is not True and more != {} and not fields:
            parts.append(f"{self._loop(more, 'v.values()')}({at})")
        elif more is not True and more != {}:
            name, known = self._name("f"), self._bind(frozenset(fields))
            inner = f"{self.function(more)}(v[k])"
            self._write(
                name,
                ["for k in v:", f"    if k not in {known} and not {inner}:", "        return False", "return True"],
            )
            parts.append(f"{name}({at})")
        if "propertyNames" in schema:
            parts.append(f"{self._loop(schema['propertyNames'], 'v')}({at})")
        return parts

    # ---- values and branches

    def _values(self, schema: dict[str, Any], values: list[Any], at: str) -> str:
        kinds = {type(v) for v in values}
        if kinds <= {str}:
            return f"type({at}) is str and {at} in {self._bind(frozenset(values))}"
        if kinds <= {int}:
            return f"type({at}) is int and {at} in {self._bind(frozenset(values))}"
        return self._searched({"enum": values}, at)

    def _any_of(self, options: list[Any], at: str, depth: int) -> str:
        document = self._search.document
        branches = [resolved(o, document) for o in options]
        tag, table = discriminator(branches, document)
        if tag is not None:
            return self._tagged(tag, table, branches, at, depth)
        tests = [f"({self.test(o, at, depth + 1)})" for o in branches if _is_plain(o)]
        for option in (o for o in branches if not _is_plain(o)):
            # A field that not every branch wants is looked for first: cheaper than a call that fails.
            name = telling(option, branches)
            first = "" if name is None else f"type({at}) is dict and {self._bind(name)} in {at} and "
            tests.append(f"({first}{self.function(option)}({at}))")
        return f"({' or '.join(tests)})" if tests else "False"

    def _tagged(self, tag: str, table: Any, options: list[Any], at: str, depth: int) -> str:
        """One look at the discriminator instead of a try of every branch."""
        name, chosen, key = self._name("f"), self._name("c"), self._bind(tag)
        named = {index: self.function(options[index]) for index in set(table.values())}
        others = [f"({self.test(o, 'v', depth + 1)})" for i, o in enumerate(options) if i not in named]
        self.functions.append(f"{chosen} = {{}}")
        body = [
            "if type(v) is dict:",
            f"    return {chosen}[v[{key}]](v)",
            f"return {' or '.join(others) or 'False'}",
        ]
        self._write(name, body)
        rows = ", ".join(f"{self._bind(text)}: {named[index]}" for text, index in table.items())
        # The functions of a recursive branch are written after this one: the table is filled at the end.
        self.late.append(f"{chosen}.update({{{rows}}})")
        return f"{name}({at})"


_PYTHON = {"string": str, "integer": int, "boolean": bool, "null": type(None)}


def _constant(schema: dict[str, Any]) -> bool:
    """Whether the values listed all have the type that stands beside them, so that it need not be asked."""
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if not values or not isinstance(schema.get("type"), str) or set(schema) & _EVERY_KEYWORD:
        return False
    kind = _PYTHON.get(schema["type"])
    return kind is not None and all(type(v) is kind for v in values)


def _is_plain(option: Any) -> bool:
    """A branch whose test cannot raise: it has no fields and no items."""
    if not isinstance(option, dict):
        return isinstance(option, bool)
    kinds = option.get("type", [])
    named = {kinds} if isinstance(kinds, str) else set(kinds)
    return not named & {"object", "array"} and set(option) - SILENT <= _PLAIN


_PLAIN = {"type", "enum", "const", *_OF_TYPE["string"], *_BOUNDS}
