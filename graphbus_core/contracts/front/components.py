"""The schemas of an OpenAPI or AsyncAPI document as JSON Schema: components as `$defs`, references led to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from graphbus_core.contracts.front.schema import dangling, refuse
from graphbus_core.contracts.reading import dialects
from graphbus_core.contracts.reading.walk import NOWHERE, escaped, follow, mapped
from graphbus_core.errors import ContractError

COMPONENTS = "/components/schemas"
# A response of an error is nobody's to rely on: that it went away breaks no client.
_ERROR = re.compile(r" [45](\d\d|XX) ")
MAX_STEPS = 20  # references that lead to references


@dataclass(frozen=True)
class Part:
    """One part of an operation: its side, the schema, where it stands, and whether its loss breaks anybody.

    `whole` stands for the operation itself, which both sides of an API have.
    """

    side: str
    schema: Any
    pointer: str
    needed: bool = True
    whole: bool = False


Parts = tuple[dict[str, Part], dict[str, Any]]  # the parts by name, and the definitions that they share


def parts_again(schema: Any, side: str) -> dict[str, Part]:
    """The parts of an API that was published as one object; each stands where its field does."""
    found = schema.get("properties", {}) if isinstance(schema, dict) else {}
    return {name: Part(side, one, "", _ERROR.search(name) is None, one is True) for name, one in found.items()}


def target(document: dict[str, Any], one: Any, name: str = "") -> Any:
    """What a reference stands for. Raises ContractError for one that leads nowhere: silence would pass everything."""
    first = one
    for _ in range(MAX_STEPS):
        if not isinstance(one, dict) or not isinstance(one.get("$ref"), str):
            return one
        ref = one["$ref"]
        # Only within the document; what lies elsewhere was brought in before, or is not here.
        found = follow(document, ref) if ref.startswith("#/") else NOWHERE
        if found is NOWHERE:
            advice = "It leads to nothing in this document" if ref.startswith("#") else "Use --map to say where it lies"
            raise ContractError(f"{name} refers to {ref}, which is not there. {advice}.")
        one = found
    raise ContractError(f"{name} has references that lead in a circle, from {first['$ref']}.")


def members(document: dict[str, Any], holder: Any, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The named objects of a holder, references followed; extensions are none of them."""
    for key, one in holder.items() if isinstance(holder, dict) else ():
        found = target(document, one, name) if not str(key).startswith("x-") else None
        if isinstance(found, dict):
            yield str(key), found


class Judge:
    """Refuses what is not a schema, each schema once, however many operations share it. `old`: OpenAPI 3.0."""

    def __init__(self, document: dict[str, Any], name: str, *, old: bool) -> None:
        self._document, self._name, self.old = document, name, old
        self._seen: dict[int, Any] = {}  # the schemas too, so that their ids stay their own

    def passed(self, schema: Any, at: str) -> Any:
        """The schema. Raises ContractError with the pointer in the document."""
        # Each once. A component that a thousand operations use would be judged a thousand times.
        if self._seen.setdefault(id(schema), schema) is schema and not isinstance(schema, bool):
            refuse(schema, self._name, dialects.NEWEST, at=at, inner=True)
            dangling(schema, self._document, self._name, at)
        return schema


def with_definitions(found: dict[str, Part], document: dict[str, Any], judge: Judge) -> Parts:
    """The parts with references led to `$defs`, and those definitions. Raises ContractError for what is not one."""
    components = document.get("components")
    definitions = components.get("schemas", {}) if isinstance(components, dict) else {}
    leading = _Leading(document, judge)
    made = {key: leading.led(judge.passed(one, f"{COMPONENTS}/{escaped(key)}")) for key, one in definitions.items()}
    parts = {key: replace(part, schema=leading.led(part.schema)) for key, part in found.items()}
    every = {**made, **leading.extra}
    if judge.old:
        parts = {k: replace(part, schema=dialects.modern(part.schema, dialects.DRAFT4)) for k, part in parts.items()}
        every = {k: dialects.modern(schema, dialects.DRAFT4) for k, schema in every.items()}
    return parts, every


class _Leading:
    """Schemas rewritten once each, however many operations share them."""

    def __init__(self, document: dict[str, Any], judge: Judge) -> None:
        self._document, self._judge = document, judge
        self._cache: dict[int, tuple[Any, Any]] = {}  # the schema too, so that its id stays its own
        self.extra: dict[str, Any] = {}

    def led(self, schema: Any) -> Any:
        """The schema with every reference led to `$defs`."""
        if not isinstance(schema, dict):
            return schema
        known = self._cache.get(id(schema))
        if known is None:
            known = self._cache[id(schema)] = (schema, self._led(schema))
        return known[1]

    def _led(self, schema: dict[str, Any]) -> Any:
        one: dict[str, Any] = mapped(schema, self.led)
        # Exactly a component's name, and no part inside of one: that has to be followed by itself.
        ref = one.get("$ref")
        if isinstance(ref, str) and ref.startswith(f"#{COMPONENTS}/") and ref.count("/") == 3:
            one = {**one, "$ref": "#/$defs/" + ref.rpartition("/")[2]}
        elif isinstance(ref, str) and ref.startswith("#/"):
            name = ref[2:].replace("/", ":")
            if name not in self.extra:
                self.extra[name] = True  # taken, before it is met again within itself
                found = follow(self._document, ref)
                there = found is not NOWHERE
                # What is not there equals itself, so that two versions that both lack it do not differ.
                self.extra[name] = self.led(self._judge.passed(found, ref[1:])) if there else {"$ref": f"unknown:{ref}"}
            one = {**one, "$ref": f"#/$defs/{name.replace('~', '~0')}"}
        return _nullable(one) if self._judge.old else one


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """`nullable: true` of OpenAPI 3.0, as 3.1 says it."""
    if schema.get("nullable") is not True:
        return schema
    made = {k: v for k, v in schema.items() if k != "nullable"}
    kind = made.get("type")
    if isinstance(kind, str):
        made["type"] = [kind, "null"]
        # An enumeration lists what is allowed, so null has to be in it as well as in the type.
        if isinstance(made.get("enum"), list) and None not in made["enum"]:
            made["enum"] = [*made["enum"], None]
        return made
    return {"anyOf": [made, {"type": "null"}]}
