"""The same path under other names of its parameters: `/pets/{id}` is `/pets/{petId}`, and nobody sends such a name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from graphbus_core.contracts.loaders.loader import LoadedContract

_NAME = re.compile(r"\{([^{}]*)\}")


def rename_paths(was: LoadedContract, now: LoadedContract) -> LoadedContract:
    """The old version with the operations and path parameters of the new one's names, where only names differ."""
    partners = _pair_operations(was, now)
    if not partners:
        return was
    names = {}
    for part in was.parts:
        operation = next((o for o in partners if part == o or part.startswith(f"{o} ")), None)
        names[part] = part if operation is None else partners[operation] + part[len(operation) :]
    fields = dict(was.schema["properties"])
    for operation, partner in partners.items():
        parameters = f"{operation} parameters"
        if isinstance(fields.get(parameters), dict):
            same_place = zip(_NAME.findall(operation), _NAME.findall(partner), strict=True)
            fields[parameters] = _rename_parameters(
                fields[parameters], {f"path {a}": f"path {b}" for a, b in same_place}
            )
    schema = {**was.schema, "properties": {names.get(name, name): field for name, field in fields.items()}}
    if "required" in was.schema:
        schema["required"] = [names.get(name, name) for name in was.schema["required"]]
    return replace(was, schema=schema, parts={names[part]: about for part, about in was.parts.items()})


def _pair_operations(was: LoadedContract, now: LoadedContract) -> dict[str, str]:
    """Operations that are gone, each with the one that came under the same template."""
    gone = [part for part, about in was.parts.items() if about.whole and part not in now.parts and "{" in part]
    came = [part for part, about in now.parts.items() if about.whole and part not in was.parts and "{" in part]
    by_template: dict[str, list[str]] = {}
    for part in came:
        by_template.setdefault(_NAME.sub("{}", part), []).append(part)
    partners = {part: by_template.get(_NAME.sub("{}", part), []) for part in gone}
    return {part: found[0] for part, found in partners.items() if len(found) == 1}


def _rename_parameters(schema: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    fields = {names.get(name, name): field for name, field in schema.get("properties", {}).items()}
    return {**schema, "properties": fields, "required": [names.get(name, name) for name in schema.get("required", ())]}
