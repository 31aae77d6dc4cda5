"""Types that JSON has no kind of its own for, kept apart on an in-process link.

A datetime, UUID, Path or Decimal is text in JSON, and no `str` in the process: a method that takes a `str` fails.
A class that nobody here knows has no JSON form at all. So where one of two contracts names such a type, both are read
with these types as texts of their own: `\\ue000` and the name, which no other text starts with. The decision and the
judge then tell them apart, as plain JSON Schema, and a counterexample is turned back before it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from graphbus_core.contracts.reading.forms import OPAQUE, TYPE_FORMATS
from graphbus_core.contracts.reading.walk import mapped

MARK = "\ue000"  # a private character: no meaning in Unicode, and in nobody's text
_SAMPLES: Mapping[str, str] = {
    "date-time": "2024-01-31T12:30:00Z",
    "date": "2024-01-31",
    "time": "12:30:00Z",
    "duration": "PT1H",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "decimal": "1.50",
    "binary": "",
    "path": "a/b",
}
_OTHERS = {"pattern": f"^(?!{MARK})"}


def both(a: Any, b: Any) -> tuple[Any, Any] | None:
    """The two readings with such types as texts of their own; None where neither has one."""
    names = names_in(a) | names_in(b)
    if not names:
        return None
    mark = marking(names)
    return mark(a), mark(b)


def marking(names: frozenset[str]) -> Callable[[Any], Any]:
    """What rewrites a schema and all within it, given all names that two contracts have.

    A part that stands in several places is rewritten once and stays one thing, and what was rewritten stays as it is:
    so parts may be given one by one, in any order.
    """
    alike = _alike({n for n in names if n not in TYPE_FORMATS})
    done: dict[int, tuple[Any, Any]] = {}  # the schema too, so that its id stays its own

    def mark(schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        known = done.get(id(schema))
        if known is None:
            made = _tagged(mapped(schema, mark), alike)
            known = done[id(schema)] = (schema, made)
            done[id(made)] = (made, made)
        return known[1]

    return mark


def shown(value: Any) -> Any:
    """A value of the readings as people know it: a sample of the type in place of its mark."""
    if isinstance(value, str) and value.startswith(MARK):
        name = value[1:].partition(":")[0]
        return _SAMPLES.get(name, f"<{name}>")
    if isinstance(value, list):
        return [shown(v) for v in value]
    return {shown(k): shown(v) for k, v in value.items()} if isinstance(value, dict) else value


def kind_of(value: Any) -> str | None:
    """The name of the type that a marked text stands for."""
    return value[1:].partition(":")[0] if isinstance(value, str) and value.startswith(MARK) else None


def names_in(schema: Any) -> frozenset[str]:
    """The types of a schema that JSON has no kind of its own for."""
    found: set[str] = set()
    stack = [schema]  # by hand: every link that is checked comes here
    while stack:
        one = stack.pop()
        if type(one) is dict:
            name, form = one.get(OPAQUE), one.get("format")
            if type(name) is str:
                found.add(name)
            if type(form) is str and form in TYPE_FORMATS and one.get("type") == "string":
                found.add(form)
            stack.extend([v for v in one.values() if type(v) is dict or type(v) is list])
        elif type(one) is list:
            stack.extend([v for v in one if type(v) is dict])
    return frozenset(found)


def _alike(names: set[str]) -> dict[str, str]:
    """One name for each class: read from source it may be bare, where its module is not known."""
    full = {n for n in names if "." in n}
    made = {}
    for name in names:
        meant = [f for f in full if f.rpartition(".")[2] == name]
        made[name] = meant[0] if "." not in name and len(meant) == 1 else name
    return made


def _tagged(made: dict[str, Any], alike: Mapping[str, str]) -> dict[str, Any]:
    name = made.get(OPAQUE)
    if isinstance(name, str):
        return {"type": "string", "pattern": f"^{MARK}{_quoted(alike.get(name, name))}:$"}
    kind = made.get("type")
    if kind == "string" and made.get("format") in TYPE_FORMATS:
        # Bounds of the text are left out: they say something of its JSON form, not of the value.
        kept = {k: v for k, v in made.items() if k not in ("pattern", "minLength", "maxLength", "format")}
        return {**kept, "pattern": f"^{MARK}{made['format']}:"}
    texts = kind == "string" or (isinstance(kind, list) and "string" in kind)
    if not texts or "enum" in made or "const" in made:
        return made
    if "pattern" in made:
        return {**made, "allOf": [*made.get("allOf", []), _OTHERS]}
    return {**made, **_OTHERS}


def _quoted(name: str) -> str:
    return name.replace(".", r"\.").replace("<", "").replace(">", "")
