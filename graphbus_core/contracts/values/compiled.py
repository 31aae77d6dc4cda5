"""The fast road of payload checks: Python source made for one schema, compiled once.

The function that comes out accepts what is surely fine, by exact types (`type(x) is str`), and hands everything else
to the slow road, which knows the whole of JSON Schema. A schema with a keyword that is not known here gets none.
Nothing of a schema enters the source as text: names and constants are bound as variables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_SILENT = frozenset(
    [
        "title",
        "description",
        "default",
        "examples",
        "$schema",
        "$id",
        "$comment",
        "deprecated",
        "readOnly",
        "writeOnly",
        "format",
        "$defs",
    ]
)
_EXACT = {"string": "str", "integer": "int", "boolean": "bool", "null": "NoneType"}
_BOUNDS = {"minimum": ">=", "maximum": "<=", "exclusiveMinimum": ">", "exclusiveMaximum": "<"}
_LENGTHS = {"minLength": ">=", "maxLength": "<=", "minItems": ">=", "maxItems": "<="}
MAX_NODES = 2_000  # schemas within the schema; a larger one takes the slow road
MAX_DEPTH = 15


def compile_road(
    schema: Any, draft: int, formats: frozenset[str], slow: Callable[[Any], Any]
) -> Callable[[Any], Any] | None:
    """A `check` that takes the fast road and falls back on `slow`; None where the schema has no fast road."""
    road = _Road(formats)
    try:
        test = road.test(schema, "v", 0)
    except _NoRoad:
        return None
    lines = [
        "def check(v):",
        "    try:",
        f"        if {test}:",
        "            return None",
        "    except (KeyError, TypeError):",
        "        pass",
        "    return slow(v)",
    ]
    scope: dict[str, Any] = {**road.scope, "slow": slow, "NoneType": type(None)}
    exec("\n".join([*road.functions, *lines]), scope)  # our own text; see the docstring
    made: Callable[[Any], Any] = scope["check"]
    return made


class _NoRoad(Exception):
    pass


class _Road:
    def __init__(self, formats: frozenset[str]) -> None:
        self.formats = formats
        self.scope: dict[str, Any] = {}
        self.functions: list[str] = []
        self._nodes = 0

    def _bind(self, value: Any) -> str:
        if type(value) in (int, bool) or value is None:
            return repr(value)
        if type(value) is str and value.isascii() and value.isprintable() and len(value) < 100:
            return repr(value)  # repr of a plain text is always a text literal
        name = f"c{len(self.scope)}"
        self.scope[name] = value
        return name

    def test(self, schema: Any, at: str, depth: int) -> str:
        """An expression that is true only where the value fits; it may raise KeyError for a missing field."""
        self._nodes += 1
        if self._nodes > MAX_NODES or depth > MAX_DEPTH:
            raise _NoRoad
        if schema is True or schema == {}:
            return "True"
        if not isinstance(schema, dict):
            raise _NoRoad
        if schema.get("format") in self.formats and schema.get("format") != "binary":
            raise _NoRoad
        known = {"type", "enum", "const", "properties", "required", "additionalProperties", "items", "anyOf"}
        if not set(schema) <= known | _SILENT | set(_BOUNDS) | set(_LENGTHS):
            raise _NoRoad
        if "const" in schema or "enum" in schema:
            return self._values(schema, at)
        if "anyOf" in schema:
            if set(schema) - _SILENT != {"anyOf"}:
                raise _NoRoad
            options = [f"({self.test(s, at, depth + 1)})" for s in schema["anyOf"] if not _has_fields(s)]
            options += [f"{self._function(s, depth)}({at})" for s in schema["anyOf"] if _has_fields(s)]
            return f"({' or '.join(options)})" if options else "False"
        kinds = schema.get("type")
        if isinstance(kinds, list):
            if not set(schema) - _SILENT <= {"type"} or {"array", "object", "number"} & set(kinds):
                raise _NoRoad
            return f"type({at}) in {self._bind(frozenset(_TYPES[k] for k in kinds))}"
        return self._typed(schema, kinds, at, depth)

    def _typed(self, schema: dict[str, Any], kind: Any, at: str, depth: int) -> str:
        said = set(schema) - _SILENT - {"type"}
        if kind == "number" or kind == "integer":
            if not said <= set(_BOUNDS):
                raise _NoRoad
            parts = [f"type({at}) is int" if kind == "integer" else f"(type({at}) is int or type({at}) is float)"]
            parts += [f"{at} {_BOUNDS[k]} {self._bind(schema[k])}" for k in _BOUNDS if k in schema]
            if kind == "number":
                parts.append(f"{at} - {at} == 0")  # neither infinite nor NaN: those have no JSON form
            return " and ".join(parts)
        if kind in _EXACT:
            lengths = [k for k in ("minLength", "maxLength") if k in schema] if kind == "string" else []
            if not said <= set(lengths):
                raise _NoRoad
            parts = [f"type({at}) is {_EXACT[kind]}"]
            return " and ".join(parts + [f"len({at}) {_LENGTHS[k]} {self._bind(schema[k])}" for k in lengths])
        if kind == "array":
            return self._array(schema, said, at, depth)
        if kind == "object":
            return self._object(schema, said, at, depth)
        raise _NoRoad

    def _array(self, schema: dict[str, Any], said: set[str], at: str, depth: int) -> str:
        if not said <= {"items", "minItems", "maxItems"}:
            raise _NoRoad
        parts = [f"type({at}) is list"]
        parts += [f"len({at}) {_LENGTHS[k]} {self._bind(schema[k])}" for k in ("minItems", "maxItems") if k in schema]
        inner = self.test(schema.get("items", True), "i", depth + 1)
        if inner != "True":
            name = f"f{len(self.functions)}"
            lines = [f"def {name}(v):", "    for i in v:", f"        if not ({inner}):", "            return False"]
            self.functions.append("\n".join([*lines, "    return True"]))
            parts.append(f"{name}({at})")
        return " and ".join(parts)

    def _object(self, schema: dict[str, Any], said: set[str], at: str, depth: int) -> str:
        if not said <= {"properties", "required", "additionalProperties"}:
            raise _NoRoad
        fields, required = schema.get("properties", {}), schema.get("required", [])
        parts = [f"type({at}) is dict"]
        optional = []
        for name in dict.fromkeys([*fields, *required]):
            if name not in required:
                optional.append(name)
                continue
            key = self._bind(name)
            if fields.get(name, True) in (True, {}):
                parts.append(f"{key} in {at}")
            elif _has_fields(fields[name]):
                parts.append(f"{self._function(fields[name], depth)}({at}[{key}])")
            else:
                one = self.test(fields[name], f"{at}[{key}]", depth + 1)
                parts.append(f"({one})" if " or " in one else one)
        for name in optional:
            key = self._bind(name)
            parts.append(f"({key} not in {at} or {self._function(fields[name], depth)}({at}[{key}]))")
        more = schema.get("additionalProperties", True)
        if more is False:
            if not optional and fields.keys() <= set(required):
                parts.append(f"len({at}) == {len(set(required))}" if set(required) <= fields.keys() else "False")
            else:
                parts.append(f"{at}.keys() <= {self._bind(frozenset(fields))}")
        elif more is not True and more != {}:
            if fields:
                raise _NoRoad
            name = f"f{len(self.functions)}"
            inner = self.test(more, "i", depth + 1)
            lines = [
                f"def {name}(v):",
                "    for i in v.values():",
                f"        if not ({inner}):",
                "            return False",
            ]
            self.functions.append("\n".join([*lines, "    return True"]))
            parts.append(f"{name}({at})")
        return " and ".join(parts)

    def _function(self, schema: Any, depth: int) -> str:
        inner = self.test(schema, "v", depth + 1)
        name = f"f{len(self.functions)}"
        self.functions.append(f"def {name}(v):\n    return {inner}")
        return name

    def _values(self, schema: dict[str, Any], at: str) -> str:
        if not set(schema) - _SILENT <= {"type", "const", "enum"} or ("const" in schema and "enum" in schema):
            raise _NoRoad
        values = [schema["const"]] if "const" in schema else schema["enum"]
        if not all(type(v) is str for v in values) or schema.get("type", "string") != "string":
            raise _NoRoad
        return f"type({at}) is str and {at} in {self._bind(frozenset(values))}"


_TYPES = {"string": str, "integer": int, "boolean": bool, "null": type(None)}


def _has_fields(schema: Any) -> bool:
    return isinstance(schema, dict) and schema.get("type") == "object"
