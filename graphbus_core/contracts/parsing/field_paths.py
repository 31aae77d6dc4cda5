"""Fields of a contract by their path, and what a contract looks like after a field operation.

A path is `qty`, `item.price` (nested object) or `headlines[].title` (objects in a list), as in `model.operation`.
Pure: a new schema comes back, the old one is untouched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from graphbus_core.contracts.parsing import static
from graphbus_core.contracts.parsing.type_forms import Schema
from graphbus_core.errors import ContractError
from graphbus_core.model.operation import (
    AddField,
    FieldOperation,
    RemoveField,
    RenameField,
    RetypeField,
    SetOptional,
)
from graphbus_core.suggestions import suggest_names

MAX_FIELDS = 10_000  # that a listing of paths gives at most
ITEM = "[]"


def list_field_paths(schema: Mapping[str, Any]) -> dict[str, Schema]:
    """Every field path of a contract with its schema, nested ones included; recursive types are cut."""
    fields_by_path: dict[str, Schema] = {}
    for path, field in _walk(schema, schema, "", ()):
        fields_by_path.setdefault(path, field)
        if len(fields_by_path) >= MAX_FIELDS:
            break
    return fields_by_path


def find_field(schema: Mapping[str, Any], path: str) -> Schema | None:
    """The schema of a field, or None where there is no such field."""
    return list_field_paths(schema).get(path)


def is_required(schema: Mapping[str, Any], path: str) -> bool:
    """Whether a field must be there (its parents being there). False where there is no such field."""
    parent, _, name = path.rpartition(".")
    owner = _find_owner(schema, schema, parent) if parent else _find_object(schema, schema)
    return owner is not None and name in owner.get("required", ())


def apply_operation(
    json_schema: Mapping[str, Any] | None, op: FieldOperation, resolve: static.Resolve = static.no_names
) -> Schema:
    """The contract after a field operation. Raises ContractError that names the nearest fields.

    `json_schema` None is a side that was not declared: only a field can be added. `resolve` finds names in the text
    of a type, as in `static.read`; without it only the words of standard typing are known.
    """
    schema: Schema = dict(json_schema) if json_schema is not None else {"type": "object", "properties": {}}
    parent, _, name = op.field.rpartition(".")
    if not name or name.endswith(ITEM):
        raise ContractError(f"{op.op}: {op.field!r} is not a field; write a name, `item.price` or `lines[].price`.")
    return _rebuild(schema, schema, parent, op, lambda owner: _apply(owner, name, op, resolve))


def _apply(owner: Schema, name: str, op: FieldOperation, resolve: static.Resolve) -> Schema:
    fields: dict[str, Any] = dict(owner.get("properties", {}))
    required = list(owner.get("required", ()))
    if not isinstance(op, AddField) and name not in fields:
        raise ContractError(f"{op.op}: {op.address} does not exist; {_suggest_fields(name, fields)}.")
    match op:
        case AddField():
            fields[name] = _add_field(fields, name, op, resolve)
            required += [] if op.optional else [name]
        case RemoveField():
            del fields[name]
            required = [r for r in required if r != name]
        case RetypeField():
            fields[name] = _change_type(fields[name], op, resolve)
        case SetOptional():
            required = [r for r in required if r != name] + ([] if op.optional else [name])
            # In the order of the fields, so that a contract reads the same whichever way it came about.
            required.sort(key=list(fields).index) if set(required) <= set(fields) else None
        case RenameField():
            fields = _rename_field(fields, name, op)
            required = [op.to if r == name else r for r in required]
        case _:
            raise ContractError(f"{op.op} is not an operation on a field.")
    changed = {**owner, "type": owner.get("type", "object"), "properties": fields, "required": required}
    if not required:
        del changed["required"]
    return changed


def _add_field(fields: Mapping[str, Any], name: str, op: AddField, resolve: static.Resolve) -> Schema:
    if name in fields:
        raise ContractError(f"add_field: {op.address} exists already; retype_field changes its type.")
    schema = _read_type(op.type, op, resolve)
    return {**schema, "description": op.description} if op.description else schema


def _change_type(field: Any, op: RetypeField, resolve: static.Resolve) -> Schema:
    """Another type; what the field is for stays said."""
    kept_keywords = {k: v for k, v in field.items() if k == "description"} if isinstance(field, dict) else {}
    return {**kept_keywords, **_read_type(op.type, op, resolve)}


def _rename_field(fields: Mapping[str, Any], name: str, op: RenameField) -> dict[str, Any]:
    if op.to in fields:
        raise ContractError(f"rename_field: {op.address} cannot become {op.to!r}, which exists already.")
    if not op.to or "." in op.to or ITEM in op.to:
        raise ContractError(f"rename_field: `to` is the new last name alone, not {op.to!r}.")
    return {op.to if k == name else k: v for k, v in fields.items()}


def _read_type(text: str, op: FieldOperation, resolve: static.Resolve) -> Schema:
    read = static.read_text(text, resolve)
    if isinstance(read, static.NeedsImport):
        raise ContractError(f"{op.op}: the type {text!r} of {op.address} cannot be read: {read.reason}.")
    schema = read.to_json_schema()
    if "$defs" in schema:
        raise ContractError(f"{op.op}: the type {text!r} of {op.address} is recursive; write it in the source.")
    return schema


def _suggest_fields(name: str, fields: Mapping[str, Any]) -> str:
    near = suggest_names(name, fields, 3)
    if near:
        return f"the nearest fields are {', '.join(near)}"
    return f"the fields are {', '.join(list(fields)[:10])}" if fields else "there are no fields here"


def _rebuild(root: Schema, schema: Any, path: str, op: FieldOperation, change: Callable[[Schema], Schema]) -> Schema:
    """`schema` with the object at `path` changed, and everything around it copied."""
    target = _resolve_target(root, schema)
    if "anyOf" in target and "properties" not in target:
        index = _choose_branch(root, target["anyOf"], bool(path))
        if index is not None:
            branches = list(target["anyOf"])
            branches[index] = _rebuild(root, branches[index], path, op, change)
            return {**target, "anyOf": branches}
    if not path:
        if not _is_object(target):
            raise ContractError(f"{op.op}: {op.address} is not inside an object, but a {target.get('type', 'value')}.")
        return change(target)
    if path.startswith(ITEM):
        if not isinstance(target.get("items"), dict):
            raise ContractError(f"{op.op}: {op.address}: there is no list of objects where {ITEM} stands.")
        rest = path[len(ITEM) :].removeprefix(".")
        return {**target, "items": _rebuild(root, target["items"], rest, op, change)}
    head, rest = _split_head(path)
    fields = target.get("properties", {})
    if head not in fields:
        raise ContractError(f"{op.op}: {op.address} does not exist; {_suggest_fields(head, fields)}.")
    return {**target, "properties": {**fields, head: _rebuild(root, fields[head], rest, op, change)}}


def _split_head(path: str) -> tuple[str, str]:
    head, _, rest = path.partition(".")
    if ITEM in head:
        name, _, more = head.partition(ITEM)
        return name, ITEM + more + (f".{rest}" if rest else "")
    return head, rest


def _resolve_target(root: Mapping[str, Any], schema: Any) -> Schema:
    for _ in range(20):
        ref = schema.get("$ref") if isinstance(schema, dict) else None
        if not isinstance(ref, str) or not ref.startswith("#/$defs/"):
            break
        schema = {**root.get("$defs", {}).get(ref[8:], {}), **{k: v for k, v in schema.items() if k != "$ref"}}
    return schema if isinstance(schema, dict) else {}


def _is_object(schema: Mapping[str, Any]) -> bool:
    return schema.get("type", "object") == "object" and "anyOf" not in schema


def _choose_branch(root: Mapping[str, Any], branches: list[Any], deeper: bool) -> int | None:
    """The one branch of a union that has fields (or, with more path to go, could have)."""
    wanted_types = ("object", "array") if deeper else ("object",)
    fitting = [i for i, b in enumerate(branches) if _resolve_target(root, b).get("type") in wanted_types]
    return fitting[0] if len(fitting) == 1 else None


def _find_object(root: Mapping[str, Any], schema: Any) -> Schema | None:
    target = _resolve_target(root, schema)
    if "anyOf" in target and "properties" not in target:
        index = _choose_branch(root, target["anyOf"], False)
        return _find_object(root, target["anyOf"][index]) if index is not None else None
    return target if _is_object(target) else None


def _find_owner(root: Mapping[str, Any], schema: Any, path: str) -> Schema | None:
    target = _resolve_target(root, schema)
    if "anyOf" in target and "properties" not in target:
        index = _choose_branch(root, target["anyOf"], True)
        return _find_owner(root, target["anyOf"][index], path) if index is not None else None
    if not path:
        return target if _is_object(target) else None
    if path.startswith(ITEM):
        return _find_owner(root, target.get("items", {}), path[len(ITEM) :].removeprefix("."))
    head, rest = _split_head(path)
    return _find_owner(root, target["properties"][head], rest) if head in target.get("properties", {}) else None


def _walk(root: Mapping[str, Any], schema: Any, path: str, above: tuple[str, ...]) -> Iterator[tuple[str, Schema]]:
    ref = schema.get("$ref") if isinstance(schema, dict) else None
    if ref is not None:
        if ref in above:
            return
        above = (*above, ref)
    target = _resolve_target(root, schema)
    for branch in target.get("anyOf", ()) if isinstance(target.get("anyOf"), list) else ():
        yield from _walk(root, branch, path, above)
    for name, field in target.get("properties", {}).items():
        field_path = f"{path}.{name}" if path else name
        yield field_path, field
        yield from _walk(root, field, field_path, above)
    if isinstance(target.get("items"), dict):
        yield from _walk(root, target["items"], path + ITEM, above)
