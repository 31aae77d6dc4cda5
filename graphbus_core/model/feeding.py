"""What of two contracts meets on a link: all of it, or the fields that code hands over. Pure, on JSON Schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.model.graph import Link

JsonSchema = Mapping[str, Any]


def met(link: Link, sent: JsonSchema | None, taken: JsonSchema | None) -> tuple[JsonSchema, JsonSchema] | None:
    """What is sent and what is taken on a link, as objects that can be checked; None where nothing is promised.

    A field that comes from elsewhere is left out. Under a condition, what the condition may rule out (a field that is
    not there, None) is taken to be ruled out: a finding must be sure.
    """
    if link.own or sent is None or taken is None:
        return None
    if link.feeds:
        return _fields(link, sent, taken)
    if link.beside:
        taken = _without(taken, link.beside)
    return (_sure(sent, taken) if link.guarded else sent), taken


def _without(taken: JsonSchema, beside: tuple[str, ...]) -> JsonSchema:
    fields = {name: field for name, field in taken.get("properties", {}).items() if name not in beside}
    required = [name for name in taken.get("required", ()) if name in fields and "*" not in beside]
    return {**taken, "properties": fields, "required": required}


def _fields(link: Link, sent: JsonSchema, taken: JsonSchema) -> tuple[JsonSchema, JsonSchema] | None:
    given: dict[str, Any] = {}
    wanted: dict[str, Any] = {}
    for source, target in link.feeds:
        field = taken.get("properties", {}).get(target)
        known, found = _at(sent, source)
        if field is None or not known:
            continue
        wanted[target] = field
        if found is not None:
            given[target] = found if target not in given else {"anyOf": [given[target], found]}
    if not wanted:
        return None
    one = {**_definitions(sent), "type": "object", "properties": given, "required": sorted(given)}
    other = {**_definitions(taken), "type": "object", "properties": wanted, "required": sorted(wanted)}
    return _sure(one, other), other


def _at(schema: JsonSchema, path: str) -> tuple[bool, JsonSchema | None]:
    """Whether a contract says what lies at a path, and what it is (None: surely nothing)."""
    at: JsonSchema = schema
    for step in path.split(".") if path else ():
        if step == "[]":
            items = at.get("items")
            if not isinstance(items, Mapping):
                return False, None
            at = items
        elif at.get("type") == "object" and "properties" in at:
            if step not in at["properties"]:
                return not at.get("additionalProperties") and at is schema, None
            at = at["properties"][step]
        else:
            return False, None
    return True, {k: v for k, v in at.items() if k not in ("$defs", "$schema")}


def _definitions(schema: JsonSchema) -> dict[str, Any]:
    return {"$defs": schema["$defs"]} if "$defs" in schema else {}


def _sure(sent: JsonSchema, taken: JsonSchema) -> JsonSchema:
    """What is sent where the field is there and, if the other side takes no None, is not None."""
    fields = {}
    for name, field in sent.get("properties", {}).items():
        other = taken.get("properties", {}).get(name)
        fields[name] = _not_null(field) if other is not None and not _takes_null(other) else field
    wanted = [name for name in taken.get("required", ()) if name in fields]
    return {**sent, "properties": fields, "required": sorted({*sent.get("required", ()), *wanted})}


def _takes_null(field: JsonSchema) -> bool:
    kinds = field.get("type")
    listed = kinds if isinstance(kinds, list) else [kinds]
    return "null" in listed or any(_takes_null(one) for one in field.get("anyOf", ()))


def _not_null(field: JsonSchema) -> JsonSchema:
    if isinstance(field.get("type"), list):
        kinds = [kind for kind in field["type"] if kind != "null"]
        return {**field, "type": kinds[0] if len(kinds) == 1 else kinds} if kinds else field
    if "anyOf" in field:
        kept = [one for one in field["anyOf"] if one.get("type") != "null"]
        return (kept[0] if len(kept) == 1 else {**field, "anyOf": kept}) if kept else field
    return field
