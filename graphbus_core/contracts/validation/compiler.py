"""The fast road of payload checks: Python source made for one schema, compiled once.

What is compiled says "surely fine", by exact types (`type(x) is str`); everything else is looked at by
`first.FirstErrorSearch`,
which knows the whole of what a contract can say. A part without a fast test (`oneOf`, `not`) is asked of the search
from within. Nothing of a schema enters the source as text: names and constants are bound as variables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphbus_core.contracts.inclusion.regex import compile_pattern
from graphbus_core.contracts.parsing.json_schema import SILENT, follow_pointer
from graphbus_core.contracts.validation import formats
from graphbus_core.contracts.validation.bulk import LEAST, build_bulk_check
from graphbus_core.contracts.validation.first_error import (
    FirstErrorSearch,
    find_discriminator,
    find_telling_field,
    resolve_reference,
)

MAX_NODES = 5_000  # schemas within the schema that are compiled; parts beyond are searched
MAX_DEPTH = 40  # of one expression; what is deeper gets a function of its own
_EXACT = {"string": "str", "integer": "int", "boolean": "bool", "null": "NoneType"}
_BOUNDS = {"minimum": ">=", "maximum": "<=", "exclusiveMinimum": ">", "exclusiveMaximum": "<"}
_LOWER, _UPPER = {"minimum", "exclusiveMinimum"}, {"maximum", "exclusiveMaximum"}
_COUNTS = {"minItems": ">=", "maxItems": "<="}
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
_SEQUENCES = {"v": "v", "v.values()": "list(v.values())", "v.keys()": "list(v)"}


def compile_check(
    schema: Any, search: FirstErrorSearch, counted: frozenset[str], slow: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    """A `check` that says None where the schema surely takes the payload, and asks `slow` where it may not.

    The tests of items, values and branches go to `search.tests`, by the id of their schema.
    """
    source = _CheckSource(search, counted)
    test = source.build_test(schema, "v", 0)
    lines = ["def check(v):", "    try:", f"        if {test}:"]
    if source.loops:  # a branch may have noted something of a payload that another branch takes: nothing is held
        lines += ["            if doubts:", "                doubts.clear()"]
    lines += ["            return None", f"    except {_CAUGHT}:", "        pass", "    return slow(v)"]
    scope: dict[str, Any] = {**source.scope, "slow": slow, "NoneType": type(None), "doubts": search.doubts}
    exec("\n".join([*source.functions, *source.late, *lines]), scope)  # our own text; see the docstring
    search.tests = {key: scope[name] for key, name in source.named.items()}
    check: Callable[[Any], Any] = scope["check"]
    return check


_UNCALLED = SILENT | {"type", "const", "minLength", "maxLength", *_BOUNDS}  # words that are tested where they stand


class _CheckSource:
    """The source of one schema's tests, while it is written."""

    def __init__(self, search: FirstErrorSearch, counted: frozenset[str]) -> None:
        self._search, self._counted = search, counted
        self.scope: dict[str, Any] = {}
        self.functions: list[str] = []
        self.named: dict[int, str] = {}  # id of a schema -> its function, written or being written
        self.loops: dict[tuple[int, str], str] = {}  # a schema, and what of a value it says -> the function
        self.late: list[str] = []  # lines that need every function to be written
        self._nodes = 0
        self._names = 0

    def _make_name(self, letter: str) -> str:
        """A name that nothing else has: it is taken before the parts within take theirs."""
        self._names += 1
        return f"{letter}{self._names}"

    def _bind(self, value: Any) -> str:
        if type(value) in (int, bool) or value is None:
            return repr(value)
        if type(value) is str and value.isascii() and value.isprintable() and len(value) < 100:
            return repr(value)  # repr of a plain text is always a text literal
        name = self._make_name("c")
        self.scope[name] = value
        return name

    # ---- one schema

    def build_test(self, schema: Any, expression: str, depth: int) -> str:
        """An expression that is true only where the value fits; it may raise KeyError for a missing field."""
        if schema is True or schema == {}:
            return "True"
        if schema is False:
            return "False"
        self._nodes += 1
        if self._nodes > MAX_NODES:
            return self._build_search_test(schema, expression)
        if depth > MAX_DEPTH:
            return f"{self.build_function(schema)}({expression})"
        keywords = set(schema) - SILENT
        kinds = schema.get("type")
        type_names = [kinds] if isinstance(kinds, str) else kinds
        if type_names is None and not keywords & _EVERY_KEYWORD - {"format"}:
            mine = _ALIKE | ({"format"} if schema.get("format") not in self._counted else set())
        elif isinstance(type_names, list):
            mine = _ALIKE.union(*(_OF_TYPE[k] for k in type_names)) | _EVERY_KEYWORD
        else:
            return self._build_search_test(schema, expression)
        if not keywords <= mine:
            return self._build_search_test(schema, expression)
        parts = (
            [self._build_types_test(schema, type_names, expression, depth)]
            if type_names is not None and not _is_typed_constant(schema)
            else []
        )
        parts += [
            self._build_common_test(key, schema, expression, depth)
            for key in ("enum", "const", "$ref", "anyOf", "allOf")
            if key in keywords
        ]
        parts = [p for p in parts if p != "True"]
        return " and ".join(parts) if parts else "True"

    def _build_types_test(self, schema: dict[str, Any], type_names: list[str], expression: str, depth: int) -> str:
        keywords = set(schema)
        if len(type_names) == 1:
            return self._build_type_test(schema, type_names[0], expression, depth)
        plain = [k for k in type_names if k in _EXACT and not keywords & _OF_TYPE[k] - self._find_uncounted(schema)]
        tests = [f"type({expression}) in {self._bind(frozenset(_PYTHON[k] for k in plain))}"] if plain else []
        tests += [
            f"({self._build_type_test(schema, k, expression, depth)})"
            for k in type_names
            if k not in plain and k not in ("array", "object")
        ]
        # What has fields may raise KeyError, which must not end the test of the other types.
        tests += [
            f"{self._build_single_type_function(schema, k)}({expression})"
            for k in type_names
            if k in ("array", "object")
        ]
        return f"({' or '.join(tests)})" if len(tests) > 1 else tests[0]

    def _find_uncounted(self, schema: dict[str, Any]) -> set[str]:
        name = schema.get("format")
        return set() if name in self._counted and name != "binary" else {"format"}

    def _build_type_test(self, schema: dict[str, Any], kind: str, expression: str, depth: int) -> str:
        if kind in ("number", "integer"):
            return self._build_number_test(schema, kind, expression)
        if kind == "string":
            return self._build_string_test(schema, expression)
        if kind == "array":
            return self._build_array_test(schema, expression, depth)
        if kind == "object":
            return self._build_object_test(schema, expression, depth)
        return f"type({expression}) is {_EXACT[kind]}"

    def _build_single_type_function(self, schema: dict[str, Any], kind: str) -> str:
        own_keywords = {k: v for k, v in schema.items() if k in _OF_TYPE[kind]}
        single_type_schema = {"type": kind, **own_keywords}
        self.scope[self._make_name("k")] = single_type_schema  # kept alive, so that its id stays its own
        return self.build_function(single_type_schema)

    def _build_common_test(self, key: str, schema: dict[str, Any], expression: str, depth: int) -> str:
        if key in ("enum", "const"):
            return self._build_values_test(schema, schema["enum"] if key == "enum" else [schema["const"]], expression)
        if key == "$ref":
            return f"{self.build_function(follow_pointer(self._search.document, schema['$ref']))}({expression})"
        if key == "allOf":
            return " and ".join(f"{self.build_function(s)}({expression})" for s in schema["allOf"]) or "True"
        return self._build_any_of_test(schema["anyOf"], expression, depth)

    def _build_search_test(self, schema: Any, expression: str) -> str:
        name = self._make_name("s")
        find = self._search.find
        self.scope[name] = lambda value: find(schema, value) is None
        return f"{name}({expression})"

    def build_function(self, schema: Any) -> str:
        """The name of a function that tests one schema, and never raises; the same for the same schema."""
        name = self.named.get(id(schema))
        if name is None:
            name = self.named[id(schema)] = self._make_name("f")
            self._write_function(name, [f"return {self.build_test(schema, 'v', 1)}"])
        return name

    def _write_function(self, name: str, body: list[str]) -> None:
        inner = [f"        {line}" for line in body]
        lines = [f"def {name}(v):", "    try:", *inner, f"    except {_CAUGHT}:", "        return False"]
        self.functions.append("\n".join(lines))

    # ---- types

    def _build_number_test(self, schema: dict[str, Any], kind: str, expression: str) -> str:
        parts = [
            f"type({expression}) is int"
            if kind == "integer"
            else f"(type({expression}) is float or type({expression}) is int)"
        ]
        parts += [f"{expression} {_BOUNDS[k]} {self._bind(schema[k])}" for k in _BOUNDS if k in schema]
        step = schema.get("multipleOf")
        if type(step) is int:
            parts.append(f"type({expression}) is int and {expression} % {step} == 0")
        elif step is not None:
            parts.append(self._build_search_test({"multipleOf": step}, expression))
        if kind == "number" and not (schema.keys() & _LOWER and schema.keys() & _UPPER):
            parts.append(f"{expression} - {expression} == 0")  # neither infinite nor NaN: those have no JSON form
        return " and ".join(parts)

    def _build_string_test(self, schema: dict[str, Any], expression: str) -> str:
        parts = [f"type({expression}) is str"]
        least, most = (self._bind(schema[key]) if key in schema else "" for key in ("minLength", "maxLength"))
        if least or most:
            parts.append(f"{least and f'{least} <= '}len({expression}){most and f' <= {most}'}")
        if "pattern" in schema:
            parts.append(f"{self._bind(compile_pattern(schema['pattern']).search)}({expression}) is not None")
        name = schema.get("format")
        if name in self._counted and name != "binary":
            parts.append(f"{self._bind(formats.find_rule(name))}({expression})")
        return " and ".join(parts)

    def _build_array_test(self, schema: dict[str, Any], expression: str, depth: int) -> str:
        prefix = schema.get("prefixItems")
        if prefix is not None or schema.get("uniqueItems") is True:
            return self._build_tuple_test(schema, prefix or [], expression, depth)
        parts = [f"type({expression}) is list"]
        parts += [f"len({expression}) {_COUNTS[k]} {self._bind(schema[k])}" for k in _COUNTS if k in schema]
        rest = schema.get("items", True)
        if rest is not True and rest != {}:
            parts.append(self._build_loop_test(rest, expression, "v"))
        return " and ".join(parts)

    def _build_tuple_test(self, schema: dict[str, Any], prefix: list[Any], expression: str, depth: int) -> str:
        """A tuple of known length; other prefixes, and unique items, are searched."""
        whole = schema.get("minItems") == schema.get("maxItems") == len(prefix) and "uniqueItems" not in schema
        if not whole:
            return self._build_search_test(schema, expression)
        parts = [f"(type({expression}) is list or type({expression}) is tuple) and len({expression}) == {len(prefix)}"]
        parts += [
            self._build_part_test(item_schema, f"{expression}[{i}]", depth) for i, item_schema in enumerate(prefix)
        ]
        return " and ".join(p for p in parts if p != "True")

    def _build_loop_test(self, schema: Any, expression: str, over: str) -> str:
        """The test of every item of a list, every value of a mapping or every name in it: what `over` says of `v`."""
        key = (id(schema), over)
        if key not in self.loops:
            self.loops[key] = self._make_name("f")
            self._write_loop(self.loops[key], schema, over)
        return f"{self.loops[key]}({expression})"

    def _write_loop(self, name: str, schema: Any, over: str) -> None:
        """A loop that notes where it stopped, so that the search need not begin anew."""
        inner = self.build_test(schema, "i", 1)
        if id(schema) not in self.named and isinstance(schema, dict):
            self.build_function(schema)  # the search passes over good items by it
        lines = [f"def {name}(v):"]
        bulk = build_bulk_check(schema, self._counted)
        if bulk is not None:
            lines += [f"    if len(v) > {LEAST}:", f"        n = {self._bind(bulk)}({_SEQUENCES[over]})"]
            lines += ["        if n < 0:", "            return True"]
            lines += [f"        doubts[{id(schema)}] = v, n", "        return False"]
        lines += [f"    items = iter({over})", "    try:", "        for i in items:", f"            if not ({inner}):"]
        lines += ["                break", "        else:", "            return True", f"    except {_CAUGHT}:"]
        lines += ["        pass", f"    doubts[{id(schema)}] = v, len(v) - items.__length_hint__() - 1"]
        self.functions.append("\n".join([*lines, "    return False"]))

    def _build_part_test(self, schema: Any, expression: str, depth: int) -> str:
        """The test of a part: of a function of its own, where it has fields itself."""
        if isinstance(schema, dict) and schema.get("type") == "object":
            return f"{self.build_function(schema)}({expression})"
        test = self.build_test(schema, expression, depth + 1)
        return f"({test})" if " or " in test else test

    def _build_object_test(self, schema: dict[str, Any], expression: str, depth: int) -> str:
        fields, required = schema.get("properties", {}), schema.get("required", [])
        parts = [f"type({expression}) is dict"]
        # The order decides nothing here, so that what costs a call comes last: often something else has failed by then.
        for name in sorted(dict.fromkeys([*fields, *required]), key=lambda name: _costs_call(fields.get(name, True))):
            key, sub = self._bind(name), fields.get(name, True)
            if name not in required:
                if sub is not True and sub != {}:
                    parts.append(
                        f"({key} not in {expression} or {self._build_part_test(sub, f'{expression}[{key}]', depth)})"
                    )
            elif sub is True or sub == {}:
                parts.append(f"{key} in {expression}")
            else:
                # A test that takes everything would not look whether the field is there.
                part = self._build_part_test(sub, f"{expression}[{key}]", depth)
                parts.append(part if part != "True" else f"{key} in {expression}")
        parts += self._build_further_tests(schema, fields, set(required), expression)
        return " and ".join(parts)

    def _build_further_tests(
        self, schema: dict[str, Any], fields: dict[str, Any], required: set[str], expression: str
    ) -> list[str]:
        """What is said of fields that are not named, and of names."""
        parts = []
        more = schema.get("additionalProperties", True)
        if more is False and fields.keys() == required:
            parts.append(f"len({expression}) == {len(required)}")
        elif more is False:
            parts.append(f"{expression}.keys() <= {self._bind(frozenset(fields))}")
        elif more is not True and more != {} and not fields:
            parts.append(self._build_loop_test(more, expression, "v.values()"))
        elif more is not True and more != {}:
            name, known_fields = self._make_name("f"), self._bind(frozenset(fields))
            inner = f"{self.build_function(more)}(v[k])"
            self._write_function(
                name,
                [
                    "for k in v:",
                    f"    if k not in {known_fields} and not {inner}:",
                    "        return False",
                    "return True",
                ],
            )
            parts.append(f"{name}({expression})")
        if "propertyNames" in schema:
            parts.append(self._build_loop_test(schema["propertyNames"], expression, "v.keys()"))
        return parts

    # ---- values and branches

    def _build_values_test(self, schema: dict[str, Any], values: list[Any], expression: str) -> str:
        kinds = {type(v) for v in values}
        if kinds <= {str}:
            return f"type({expression}) is str and {expression} in {self._bind(frozenset(values))}"
        if kinds <= {int}:
            return f"type({expression}) is int and {expression} in {self._bind(frozenset(values))}"
        return self._build_search_test({"enum": values}, expression)

    def _build_any_of_test(self, options: list[Any], expression: str, depth: int) -> str:
        document = self._search.document
        branches = [resolve_reference(o, document) for o in options]
        tag, table = find_discriminator(branches, document)
        if tag is not None:
            return self._build_tagged_test(tag, table, branches, expression, depth)
        tests = [f"({self.build_test(o, expression, depth + 1)})" for o in branches if _is_plain(o)]
        for option in (o for o in branches if not _is_plain(o)):
            # A field that not every branch wants is looked for first: cheaper than a call that fails.
            name = find_telling_field(option, branches)
            first = "" if name is None else f"type({expression}) is dict and {self._bind(name)} in {expression} and "
            tests.append(f"({first}{self.build_function(option)}({expression}))")
        if "(True)" in tests:
            return "True"
        return f"({' or '.join(tests)})" if tests else "False"

    def _build_tagged_test(self, tag: str, table: Any, options: list[Any], expression: str, depth: int) -> str:
        """One look at the discriminator instead of a try of every branch."""
        name, chosen, key = self._make_name("f"), self._make_name("c"), self._bind(tag)
        function_names = {index: self.build_function(options[index]) for index in set(table.values())}
        others = [f"({self.build_test(o, 'v', depth + 1)})" for i, o in enumerate(options) if i not in function_names]
        self.functions.append(f"{chosen} = {{}}")
        body = [
            "if type(v) is dict:",
            f"    return {chosen}[v[{key}]](v)",
            f"return {' or '.join(others) or 'False'}",
        ]
        self._write_function(name, body)
        rows = ", ".join(f"{self._bind(text)}: {function_names[index]}" for text, index in table.items())
        # The functions of a recursive branch are written after this one: the table is filled at the end.
        self.late.append(f"{chosen}.update({{{rows}}})")
        return f"{name}({expression})"


_PYTHON = {"string": str, "integer": int, "boolean": bool, "null": type(None)}


def _is_typed_constant(schema: dict[str, Any]) -> bool:
    """Whether the values listed all have the type that stands beside them, so that it need not be asked."""
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if not values or not isinstance(schema.get("type"), str) or set(schema) & _EVERY_KEYWORD:
        return False
    kind = _PYTHON.get(schema["type"])
    return kind is not None and all(type(v) is kind for v in values)


def _costs_call(schema: Any) -> bool:
    """Whether the test of a value calls anything but `len`."""
    return isinstance(schema, dict) and not schema.keys() <= _UNCALLED


def _is_plain(option: Any) -> bool:
    """A branch whose test cannot raise: it has no fields and no items."""
    if not isinstance(option, dict):
        return isinstance(option, bool)
    kinds = option.get("type", [])
    type_names = {kinds} if isinstance(kinds, str) else set(kinds)
    return not type_names & {"object", "array"} and set(option) - SILENT <= _PLAIN


_PLAIN = {"type", "enum", "const", *_OF_TYPE["string"], *_BOUNDS}
