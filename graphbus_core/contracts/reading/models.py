"""pydantic models as contracts: pydantic's own JSON Schema, of what is sent or of what is taken."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from graphbus_core.contracts.reading.forms import Schema
from graphbus_core.contracts.reading.walk import mapped
from graphbus_core.errors import ContractError


def read(
    model: Any, taken: Collection[str], known: Mapping[str, Schema], sent: bool
) -> tuple[dict[str, Schema], Schema]:
    """The definitions of a model and its schema. A name of `taken` that means another class gets a number."""
    try:
        made: Schema = model.model_json_schema(
            mode="serialization" if sent else "validation", schema_generator=_generator()
        )
    except Exception as e:
        raise ContractError(f"pydantic gives no JSON Schema for {model.__name__}: {e}") from None
    found: dict[str, Schema] = {name: _untitled(s) for name, s in made.pop("$defs", {}).items()}
    cleaned: Schema = _untitled(made)
    if any(n in taken and not _alike(known.get(n), s) for n, s in found.items()):
        # Two classes of one name, from two modules: each keeps its own definition.
        names: dict[str, str] = {}
        used = set(taken)
        for name in found:
            number = 2
            while (fresh := f"{name}{number}") in used or fresh in found:
                number += 1
            used.add(fresh)
            names[f"#/$defs/{name}"] = f"#/$defs/{fresh}"
        found = {names[f"#/$defs/{n}"].rpartition("/")[2]: _renamed(s, names) for n, s in found.items()}
        cleaned = _renamed(cleaned, names)
    return found, cleaned


@lru_cache(1)
def _generator() -> type:
    """pydantic's generator, to which a field with a default is always there once the model is sent."""
    from pydantic.json_schema import GenerateJsonSchema

    class Sent(GenerateJsonSchema):
        def field_is_required(self, field: Any, total: bool) -> bool:
            if self.mode == "serialization" and field["type"] in ("model-field", "dataclass-field"):
                return not field.get("serialization_exclude")
            return bool(super().field_is_required(field, total))

    return Sent


def _alike(one: Any, other: Any) -> bool:
    return json.dumps(one, sort_keys=True, default=repr) == json.dumps(other, sort_keys=True, default=repr)


def _renamed(schema: Any, names: Mapping[str, str]) -> Any:
    """With its references, and those of its discriminator, led to the new names."""
    if not isinstance(schema, dict):
        return schema
    made = mapped(schema, lambda one: _renamed(one, names))
    if isinstance(made.get("$ref"), str):
        made = {**made, "$ref": names.get(made["$ref"], made["$ref"])}
    table = made.get("discriminator")
    if isinstance(table, dict) and isinstance(table.get("mapping"), dict):
        mapping = {k: names.get(v, v) if isinstance(v, str) else v for k, v in table["mapping"].items()}
        made = {**made, "discriminator": {**table, "mapping": mapping}}
    return made


def _untitled(schema: Any) -> Any:
    """Without the titles that pydantic derives from names: they say nothing, and would make every diff noisy."""
    if not isinstance(schema, dict):
        return schema
    made: Schema = mapped(schema, _untitled)
    return {k: v for k, v in made.items() if not (k == "title" and isinstance(v, str))}
