"""Which branch of a union a value is meant for: by its discriminator, by its type, or by likeness.

A discriminator is a field that every object branch requires with texts of its own (`kind: Literal["cat"]`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.contracts.reading.walk import SILENT, follow

# Comparing fields of more branches costs more than the message is worth.
MOST_COMPARED = 30  # branches whose fields are compared, where no other sign tells
_KINDS = {str: "string", bool: "boolean", type(None): "null", list: "array", dict: "object"}


class Branches:
    """The branches of one `anyOf` or `oneOf`, references followed."""

    def __init__(self, options: list[Any], document: Any) -> None:
        self.options = [resolved(o, document) for o in options]
        self.tag, self.tags = discriminator(self.options, document)
        self.telling = [telling(o, self.options) for o in self.options]

    def tagged(self, value: Any) -> int | None:
        """The branch that the discriminator of a value names, or None."""
        said = value.get(self.tag) if self.tag is not None and isinstance(value, dict) else None
        return self.tags.get(said) if isinstance(said, str) else None

    def likeliest(self, value: Any, missing: list[bool]) -> tuple[int, str] | None:
        """The branch that a refused value was meant for, and how that is known; `missing` says which lack a field."""
        whole = [i for i, lacks in enumerate(missing) if not lacks]
        # From the surest sign to the weakest. The message tells which one spoke, since people correct what it names.
        if len(whole) == 1 and isinstance(value, dict) and _takes(self.options[whole[0]], value):
            return whole[0], "the only alternative with these fields"
        fitting = [i for i, o in enumerate(self.options) if _takes(o, value)]
        if len(fitting) == 1:
            return fitting[0], "" if len(self.options) == 1 else "the only alternative of its type"
        if not isinstance(value, dict) or len(fitting) > MOST_COMPARED:
            return None
        scores = sorted(((_likeness(self.options[i], value), i) for i in fitting), reverse=True)
        # Only a clear winner: of two that are equally near naming one would send its author the wrong way.
        if len(scores) > 1 and scores[0][0] > scores[1][0] and scores[0][0] > 0:
            return scores[0][1], f"the nearest of {len(self.options)} alternatives"
        return None


def telling(option: Any, options: list[Any]) -> str | None:
    """A field that an object branch requires and not every other does; None where there is none."""
    wanted = option.get("required", ()) if isinstance(option, dict) and option.get("type") == "object" else ()
    others = [o.get("required", ()) for o in options if isinstance(o, dict)]
    return next((n for n in wanted if not all(n in o for o in others)), None)


def discriminator(options: list[Any], document: Any) -> tuple[str | None, Mapping[str, int]]:
    """The field that tells the object branches apart, and text -> branch; (None, {}) where there is none.

    `options` are resolved. Branches that take no object do not count.
    """
    objects = [(i, o) for i, o in enumerate(options) if isinstance(o, dict) and o.get("type") == "object"]
    # Every branch must be an object with the tag, or surely no object. Otherwise a value may be meant for a third.
    if len(objects) < 2 or len(objects) + sum(map(_simple, options)) != len(options):
        return None, {}
    for name in objects[0][1].get("required", ()):
        table: dict[str, int] = {}
        for index, option in objects:
            if name not in option.get("required", ()):
                break
            texts = _texts(resolved(option.get("properties", {}).get(name), document))
            # A text of two branches tells neither.
            if not texts or not table.keys().isdisjoint(texts):
                break
            table |= dict.fromkeys(texts, index)
        else:
            return name, table
    return None, {}


def _simple(option: Any) -> bool:
    """A branch that surely takes no object."""
    if not isinstance(option, dict):
        return False
    kinds = option.get("type")
    named = [kinds] if isinstance(kinds, str) else kinds
    return isinstance(named, list) and "object" not in named


def _texts(schema: Any) -> list[str]:
    if not isinstance(schema, dict):
        return []
    given = [schema["const"]] if "const" in schema else schema.get("enum", [])
    return list(given) if isinstance(given, list) and all(type(v) is str for v in given) else []


def resolved(option: Any, document: Any) -> Any:
    """What a bare reference leads to, through further ones. One with rules beside it is a schema of its own."""
    # Twenty: a chain that long is a circle.
    for _ in range(20):
        if not isinstance(option, dict) or "$ref" not in option or not str(option["$ref"]).startswith("#"):
            break
        if not option.keys() - SILENT <= {"$ref"}:
            break
        option = follow(document, option["$ref"])
    return option


def _takes(option: Any, value: Any) -> bool:
    """Whether the type of a value is one of the branch's."""
    kinds = option.get("type") if isinstance(option, dict) else None
    if kinds is None:
        return True
    named = [kinds] if isinstance(kinds, str) else kinds
    kind = _KINDS.get(type(value), "number")
    return kind in named or (kind == "number" and "integer" in named)


def _likeness(option: Any, value: dict[str, Any]) -> int:
    fields = option.get("properties", {}) if isinstance(option, dict) else {}
    needed = option.get("required", ()) if isinstance(option, dict) else ()
    return (
        2 * sum(n in fields for n in value) - sum(n not in value for n in needed) - sum(n not in fields for n in value)
    )
