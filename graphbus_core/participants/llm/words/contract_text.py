"""A contract in few characters: JSON Schema written the way a Python author would, for prompts.

`{"type": "object", "properties": {"sku": {"type": "string"}}}` becomes `{sku?: str}`. What has no short form is
written as JSON, so that nothing is lost; what is nested too deeply is cut with an ellipsis.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from graphbus_core.contracts.reading.walk import SILENT
from graphbus_core.contracts.reading.wording import WORDS

_DEPTH = 12


def contract_text(schema: Mapping[str, Any] | None) -> str:
    """The contract in short; `undeclared` for None."""
    if schema is None:
        return "undeclared"
    return _text(schema, {**schema.get("definitions", {}), **schema.get("$defs", {})}, 0)


def _text(schema: Any, defs: Mapping[str, Any], depth: int) -> str:
    if schema is True or schema == {}:
        return "Any"
    if not isinstance(schema, Mapping):
        return json.dumps(schema)
    if depth > _DEPTH:
        return "…"
    if isinstance(ref := schema.get("$ref"), str):
        return _text(defs.get(ref.rpartition("/")[2], True), defs, depth + 1)
    if "const" in schema:
        return f"Literal[{json.dumps(schema['const'])}]"
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(v) for v in schema['enum'])}]"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(_text(s, defs, depth + 1) for s in schema[key]))
    return _by_kind(schema, defs, depth)


def _by_kind(schema: Mapping[str, Any], defs: Mapping[str, Any], depth: int) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_text({**schema, "type": k}, defs, depth + 1) for k in kind)
    if kind == "object" or "properties" in schema:
        return _object(schema, defs, depth)
    if kind == "array":
        if "prefixItems" in schema:
            return f"tuple[{', '.join(_text(s, defs, depth + 1) for s in schema['prefixItems'])}]"
        return f"list[{_text(schema.get('items', True), defs, depth + 1)}]"
    rest = {k: v for k, v in schema.items() if k != "type" and k not in SILENT}
    if isinstance(kind, str) and kind in WORDS:
        return WORDS[kind] + (f"({json.dumps(rest)[1:-1]})" if rest else "")
    return json.dumps({k: v for k, v in schema.items() if k not in SILENT}) if rest or kind else "Any"


def _object(schema: Mapping[str, Any], defs: Mapping[str, Any], depth: int) -> str:
    fields: Mapping[str, Any] = schema.get("properties", {})
    extra = schema.get("additionalProperties")
    if not fields and isinstance(extra, Mapping):
        return f"dict[str, {_text(extra, defs, depth + 1)}]"
    if not fields:
        return "dict" if extra is not False else "{}"
    required = set(schema.get("required", ()))
    inner = (f"{n}{'' if n in required else '?'}: {_text(s, defs, depth + 1)}" for n, s in fields.items())
    return "{" + ", ".join(inner) + "}"
