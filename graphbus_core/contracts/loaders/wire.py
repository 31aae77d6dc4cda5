"""What no schema says of an operation and breaks its callers all the same: how parameters are written, who may call.

Read into plain facts here, and compared here. Knows nothing of files and of findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

# OpenAPI 3.1, 4.8.12.2: the style that is meant where none is written.
_STYLES = {"query": "form", "cookie": "form", "path": "simple", "header": "simple"}
EMPTY = "may be empty"
_SINGLE = frozenset(("string", "integer", "number", "boolean", "null"))
Facts = Mapping[str, Any]
Alternative = Mapping[str, list[str]]  # what one way to be let in takes: scheme -> its scopes


def read_form(parameter: Mapping[str, Any], schema: Any) -> str:
    """How a parameter of several values stands in a request; empty where there is one way only."""
    style = parameter.get("style", _STYLES.get(str(parameter.get("in")), "form"))
    types = schema.get("type") if isinstance(schema, Mapping) else None
    names = {types} if isinstance(types, str) else set(types) if isinstance(types, list) else set()
    if "schema" not in parameter or (names and names <= _SINGLE and style in ("form", "simple")):
        return ""
    explode = parameter.get("explode", style == "form") is True
    return f"style {style}, {'each value by itself' if explode else 'all values in one'}"


def read_security(document: Mapping[str, Any], operation: Mapping[str, Any]) -> list[Alternative]:
    """The ways to be let in; where the document does not say, anybody is."""
    stated = operation.get("security", document.get("security"))
    if not isinstance(stated, list):
        return [{}]
    components = document.get("components")
    schemes = components.get("securitySchemes", {}) if isinstance(components, Mapping) else {}
    ways = [way for way in stated if isinstance(way, Mapping)]
    return [{_identify(schemes, name): sorted(map(str, s or ())) for name, s in way.items()} for way in ways] or [{}]


def _identify(schemes: Any, name: str) -> str:
    scheme = schemes.get(name) if isinstance(schemes, Mapping) else None
    if not isinstance(scheme, Mapping) or "$ref" in scheme:
        return name
    told = [str(scheme[word]) for word in ("type", "scheme", "name", "in", "openIdConnectUrl") if word in scheme]
    flows = scheme.get("flows")
    for flow in flows.values() if isinstance(flows, Mapping) else ():
        told += (
            [str(url) for key, url in sorted(flow.items()) if key.endswith("Url")] if isinstance(flow, Mapping) else []
        )
    return f"{name} ({' '.join(told)})"


def find_wire_breaks(old: Facts, new: Facts) -> Iterator[tuple[str, str]]:
    """(what it is of, sentence) for each fact by which an old caller is not understood any more."""
    for name, before in old.items():
        if name in new:
            sentence = _COMPARED.get(name, _compare_form)(before, new[name])
            if sentence:
                yield name, sentence


def _compare_form(before: Any, after: Any) -> str:
    if before == EMPTY and after != EMPTY:
        return "is no longer taken"
    return f"is written as {after} now, and was {before}" if before and after and before != after else ""


def _compare_security(before: Any, after: Any) -> str:
    for way in before:
        if not any(_is_within(needed, way) for needed in after):
            held = " and ".join(_list_needs(way)) or "nothing"
            wanted = ", or ".join(" and ".join(_list_needs(needed)) for needed in after)
            return f"wants {wanted} now; who has {held} is no longer let in"
    return ""


def _is_within(needed: Alternative, held: Alternative) -> bool:
    return all(scheme in held and set(scopes) <= set(held[scheme]) for scheme, scopes in needed.items())


def _list_needs(way: Alternative) -> list[str]:
    names = ((scheme.partition(" (")[0], ", ".join(scopes)) for scheme, scopes in way.items())
    return [" with ".join(filter(None, words)) for words in names]


_COMPARED: Mapping[str, Callable[[Any, Any], str]] = {"security": _compare_security}
