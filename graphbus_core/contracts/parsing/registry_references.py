"""References that a `referencing.Registry` knows, brought into one schema. Nothing is fetched: what it holds counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.parsing.json_schema import map_subschemas
from graphbus_core.errors import ContractError

_MAX_BROUGHT = 2_000  # schemas; a registry could hold a whole vendor
_DROPPED = ("$id", "$schema", "$anchor")  # references inside no longer go by them


def bring_in(schema: Any, registry: Any) -> Any:
    """The schema, or Contract, with everything under `$defs` that the registry knows. Unknown references stay."""
    if registry is None:
        return schema
    if isinstance(schema, Contract):
        return Contract(bring_in(schema.to_json_schema(), registry))
    return _Bringer(registry).bring(schema) if isinstance(schema, Mapping) else schema


class _Bringer:
    def __init__(self, registry: Any) -> None:
        self._registry = registry
        self._names: dict[int, str] = {}
        self._kept: list[Any] = []  # ids are keys: what they are of must live as long
        self._brought: dict[str, Any] = {}

    def bring(self, schema: Mapping[str, Any]) -> Any:
        base = schema.get("$id", schema.get("id", ""))
        resolver = self._registry.resolver(base if isinstance(base, str) else "")
        rewritten = self._rewrite(schema, resolver, is_root=True)
        return {**rewritten, "$defs": {**rewritten.get("$defs", {}), **self._brought}} if self._brought else rewritten

    def _rewrite(self, schema: Any, resolver: Any, *, is_root: bool) -> Any:
        rewritten = map_subschemas(schema, lambda inner: self._rewrite(inner, resolver, is_root=is_root))
        if not isinstance(rewritten, Mapping):
            return rewritten
        kept = {k: v for k, v in rewritten.items() if is_root or k not in _DROPPED or not isinstance(v, str)}
        reference = kept.get("$ref")
        if isinstance(reference, str) and not (is_root and reference.startswith("#")):
            kept["$ref"] = self._lead(reference, resolver)
        return kept

    def _lead(self, reference: str, resolver: Any) -> str:
        try:
            resolved = resolver.lookup(reference)
        except Exception:  # every registry has its own way to say that it does not know
            return reference
        contents = resolved.contents
        name = self._names.get(id(contents))
        if name is None:
            if len(self._names) >= _MAX_BROUGHT:
                raise ContractError(f"the registry brings in more than {_MAX_BROUGHT:,} schemas; give a smaller one.")
            name = self._names[id(contents)] = f"registry:{len(self._names)}"
            self._kept.append(contents)
            self._brought[name] = True  # taken, before it is met again within itself
            self._brought[name] = self._rewrite(contents, resolved.resolver, is_root=False)
        return f"#/$defs/{name}"
