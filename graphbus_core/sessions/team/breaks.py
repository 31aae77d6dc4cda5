"""Which uses fail if a planned change is made alone, each with the payload that proves it.

A call is a producer of arguments, and a function a consumer of them. A function is a producer of a result, and who
reads a key of it a consumer. So the contract engine answers, and its counterexample is the payload.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from graphbus_core.analysis.references import Function
from graphbus_core.contracts.check import check
from graphbus_core.negotiation.team.plan import (
    CHANGE_KEY,
    CHANGE_PARAMETER,
    REMOVE,
    RENAME_KEY,
    Change,
)
from graphbus_core.sessions.team.symbol_changes import Parameter, read_parameters, read_result_keys
from graphbus_core.sessions.team.usage import Definition, Place, Usage

MAX_BREAKS = 20  # that are kept of one change
_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}


def add_breaks(usage: Usage, change: Change, places: Iterable[Place]) -> Change:
    """The change with the uses that it breaks."""
    path, _, name = change.symbol.rpartition("::")
    target = usage.find_symbol(path, name)
    if target is None:
        return change
    breaks: list[dict[str, str]] = []
    for place in places:
        found = _find_break(usage, change, target, place)
        if found is not None and len(breaks) < MAX_BREAKS:
            breaks.append({"symbol": place.symbol, "place": str(place), **found})
    return replace(change, breaks=tuple(breaks))


def _find_break(usage: Usage, change: Change, target: Definition, place: Place) -> dict[str, str] | None:
    word = target.name.rpartition(".")[2]
    match change.kind:
        case "remove" | "rename":
            if place.how == "is overridden by it" or (place.how == "overrides it"):
                return None
            gone = f"`{word}` is gone there" if change.kind == REMOVE else f"`{word}` is called `{change.to}` then"
            return {"why": gone}
        case "add parameter" | "remove parameter" | "rename parameter" | "change parameter":
            function = _find_function(usage, target)
            if isinstance(place.node, ast.Call) and function is not None:
                return _check_call(place.node, function, change)
        case "remove key" | "rename key" | "change key":
            if isinstance(target.node, Function) and isinstance(place.node, ast.Call):
                return _check_reading(usage, place, target.node, change)
    return None


def _find_function(usage: Usage, target: Definition) -> Function | None:
    if isinstance(target.node, ast.ClassDef):
        init = usage.find_constructor(target)
        return init.node if init is not None and isinstance(init.node, Function) else None
    return target.node if isinstance(target.node, Function) else None


def _check_call(call: ast.Call, function: Function, change: Change) -> dict[str, str] | None:
    """Hold the arguments of a call against the parameters as they would be."""
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return None
    old = read_parameters(function)
    if old and old[0].name in ("self", "cls"):
        old = old[1:]
    new = _apply(old, change)
    given = _bind(call, new)
    required = [p.name for p in new if p.kind in ("plain", "keyword") and not p.default]
    is_open = any(p.kind == "rest by name" for p in new)
    consumer: dict[str, Any] = {
        "type": "object",
        "properties": {p.name: _read_type(p.type) for p in new if p.kind in ("plain", "keyword")},
        "required": required,
        "additionalProperties": is_open,
    }
    producer: dict[str, Any] = {
        "type": "object", "properties": given, "required": list(given), "additionalProperties": False,
    }  # fmt: skip
    was = _bind(call, old)
    takes_all = is_open or set(given) <= set(consumer["properties"])
    if set(was) == set(given) and change.kind != CHANGE_PARAMETER and set(required) <= set(given) and takes_all:
        return None
    verdict = check(producer, consumer)
    if verdict.compatible is not False:
        return None
    missing, extra = sorted(set(required) - set(given)), sorted(set(given) - set(consumer["properties"]))
    why = (
        f"it gives no `{missing[0]}`"
        if missing
        else f"it gives `{extra[0]}`"
        if extra
        else f"`{change.name}` does not fit"
    )
    return {"why": why, "payload": _dump(verdict.counterexample)}


def _apply(parameters: list[Parameter], change: Change) -> list[Parameter]:
    """The parameters after a change. A new one stands behind those by position, or among those by keyword."""
    name = change.name.lstrip("*")
    match change.kind:
        case "add parameter":
            kind = {0: "plain", 1: "rest", 2: "rest by name"}[len(change.name) - len(name)]
            added = Parameter(name, kind, change.type, change.default)
            at = next((i for i, p in enumerate(parameters) if p.kind != "plain"), len(parameters))
            return [*parameters[:at], added, *parameters[at:]]
        case "remove parameter":
            return [p for p in parameters if p.name != name]
        case "rename parameter":
            return [replace(p, name=change.to) if p.name == name else p for p in parameters]
    return [replace(p, type=change.type or p.type, default=change.default) if p.name == name else p
               for p in parameters]  # fmt: skip


def _bind(call: ast.Call, parameters: list[Parameter]) -> dict[str, Any]:
    """What a call gives, by the names of parameters; what finds no place is named by its position."""
    plain = [p.name for p in parameters if p.kind == "plain"]
    takes_rest = any(p.kind == "rest" for p in parameters)
    given = {}
    for i, argument in enumerate(call.args):
        if i < len(plain):
            given[plain[i]] = _read_value(argument)
        elif not takes_rest:
            given[f"argument {i + 1}"] = _read_value(argument)
    for keyword in call.keywords:
        given[str(keyword.arg)] = _read_value(keyword.value)
    return given


def _read_value(node: ast.expr) -> dict[str, Any]:
    """What is known of a value, as a schema."""
    try:
        value = ast.literal_eval(node)
        json.dumps(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return {"const": f"<{ast.unparse(node)[:40]}>"}
    return {"const": value}


def _read_type(text: str) -> dict[str, Any]:
    """Plain types are held against literals only where nothing else could be meant; everything else takes anything."""
    return {"anyOf": [{"type": _TYPES[text]}, {"type": "string", "pattern": "^<"}]} if text in _TYPES else {}


def _check_reading(usage: Usage, place: Place, function: Function, change: Change) -> dict[str, str] | None:
    """Hold the result as it would be against a key that is read of it."""
    if change.kind == CHANGE_KEY or change.name not in _read_keys_of(usage, place):
        return None
    keys = (read_result_keys(function) or set()) - {change.name}
    keys |= {change.to} if change.kind == RENAME_KEY else set()
    producer = {"type": "object", "properties": {k: {} for k in sorted(keys)}, "required": sorted(keys),
                "additionalProperties": False}  # fmt: skip
    verdict = check(producer, {"type": "object", "required": [change.name]})
    if verdict.compatible is not False:
        return None
    return {"why": f"it reads the key `{change.name}`", "payload": _dump(verdict.counterexample)}


def _read_keys_of(usage: Usage, place: Place) -> set[str]:
    """The keys that are read of a call's result by `[…]`: at once, or of the name that it is given."""
    keys: set[str] = set()
    names: set[str] = set()
    for node in ast.walk(usage.files.read_tree(place.path)):
        match node:
            case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)) if value is place.node:
                keys.add(key)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is place.node:
                names.add(name)
    scope = usage.find_symbol(place.path, place.scope)
    for node in ast.walk(scope.node) if scope is not None and names else ():
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as key), ctx=ast.Load()):
                keys |= {key} if name in names else set()
    return keys


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)[:200]
