"""Where a reference leads: each way to name a place, in the drafts that have it. All of them lead to an integer."""

from __future__ import annotations

from typing import Any

import pytest
import typing_extensions
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from graphbus_core.contracts import Contract, check, compare, validator

INT: dict[str, Any] = {"type": "integer"}
LEADS = {
    "a pointer": (2020, {"$ref": "#/$defs/n", "$defs": {"n": INT}}),
    "an escaped pointer": (2020, {"$ref": "#/$defs/a~1b~0c%25", "$defs": {"a/b~c%": INT}}),
    "an anchor": (2020, {"$ref": "#here", "$defs": {"n": {"$anchor": "here", **INT}}}),
    "an anchor in place": (
        2020,
        {"$ref": "#here", "allOf": [{"$anchor": "here", **INT}, {"$anchor": "there"}]},
    ),
    "an id": (2020, {"$ref": "https://x.test/n", "$defs": {"n": {"$id": "https://x.test/n", **INT}}}),
    "an id relative to another": (
        2020,
        {"$id": "https://x.test/a/b", "$ref": "c", "$defs": {"n": {"$id": "https://x.test/a/c", **INT}}},
    ),
    "a pointer within a resource": (
        2020,
        {
            "$ref": "https://x.test/n",
            "$defs": {
                "m": {"type": "string"},
                "n": {"$id": "https://x.test/n", "$ref": "#/$defs/m", "$defs": {"m": INT}},
            },
        },
    ),
    "an anchor of a resource": (
        2020,
        {
            "$ref": "https://x.test/n#here",
            "$defs": {
                "m": {"$anchor": "here", "type": "string"},
                "n": {"$id": "https://x.test/n", "$defs": {"k": {"$anchor": "here", **INT}}},
            },
        },
    ),
    "an id of draft 4": (4, {"$ref": "http://x.test/n", "definitions": {"n": {"id": "http://x.test/n", **INT}}}),
    "an id that is an anchor, draft 7": (7, {"$ref": "#n", "definitions": {"n": {"$id": "#n", **INT}}}),
    "an id beside a reference counts for nothing, draft 7": (
        7,
        {
            "$ref": "#/definitions/n",
            "definitions": {
                "n": {"$id": "http://x.test/other", "$ref": "#/definitions/m"},
                "m": INT,
            },
        },
    ),
    "a dynamic reference to the only place": (
        2020,
        {"$dynamicRef": "#n", "$defs": {"n": {"$dynamicAnchor": "n", **INT}}},
    ),
    "a dynamic reference to a plain anchor": (2020, {"$dynamicRef": "#n", "$defs": {"n": {"$anchor": "n", **INT}}}),
}
NOWHERE = {
    "a pointer": (2020, {"$ref": "#/$defs/x"}, "leads nowhere"),
    "an anchor": (2020, {"$ref": "#x"}, "names no anchor"),
    "a document that nobody gave": (2020, {"$ref": "https://x.test/y"}, "leads out of the schema"),
    "itself": (2020, {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}}, "comes back to itself"),
    "itself, through a condition": (
        2020,
        {"$ref": "#/$defs/a", "$defs": {"a": {"if": {"not": {"$ref": "#/$defs/a"}}, "then": True}}},
        "comes back to itself",
    ),
    "one of two dynamic anchors": (
        2020,
        {
            "$dynamicRef": "#n",
            "$defs": {"n": {"$dynamicAnchor": "n"}, "o": {"$id": "https://x.test/o", "$dynamicAnchor": "n"}},
        },
        "several places",
    ),
}


@pytest.mark.parametrize(("draft", "schema"), LEADS.values(), ids=LEADS)
def test_a_reference_means_what_it_leads_to(draft: int, schema: dict[str, Any]) -> None:
    """The schema takes integers and nothing else: it fits an integer both ways, and a text shows that no more fits."""
    assert check(schema, INT, dialect=draft).compatible is True
    assert check(INT, schema, dialect=draft).compatible is True
    wider = check({"type": ["integer", "string"]}, schema, dialect=draft)
    assert (wider.compatible, type(wider.counterexample)) == (False, str)


@pytest.mark.parametrize(("draft", "schema", "why"), NOWHERE.values(), ids=NOWHERE)
def test_a_reference_that_means_nothing_is_given_up_with_its_reason(
    draft: int, schema: dict[str, Any], why: str
) -> None:
    """Neither yes nor no: what nobody can follow is not guessed."""
    verdict = check(INT, schema, dialect=draft)
    assert verdict.compatible is None
    assert why in str(verdict)


def test_a_registry_says_what_other_documents_mean() -> None:
    """Of `referencing`; also through further documents, and one that refers to itself."""
    tree: dict[str, Any] = {
        "$id": "https://example.com/tree",
        "type": "object",
        "properties": {"next": {"$ref": "#"}, "n": {}},
    }
    tree["properties"]["n"] = {"$ref": "parts#/$defs/number"}
    parts = {"$defs": {"number": {"type": "integer"}}}
    rows = {"https://example.com/tree": tree, "https://example.com/parts": parts}
    known = Registry().with_resources([(uri, DRAFT202012.create_resource(row)) for uri, row in rows.items()])
    sent = {"$ref": "https://example.com/tree"}
    taken = {"type": "object", "properties": {"next": {"properties": {"n": {"type": "number"}}}}}
    assert check(sent, taken).compatible is None
    assert check(sent, taken, registry=known).compatible is True
    assert check(taken, sent, registry=known).has_counterexample
    assert str(validator(sent, registry=known).check({"next": {"n": "x"}})).startswith("next.n: must be integer")
    assert compare(sent, taken, reading="strict", registry=known).fits("input") is True
    unknown = {"$ref": "https://example.com/other"}
    assert check(unknown, taken, registry=known).compatible is None


def test_a_typed_dict_says_what_its_other_keys_are() -> None:
    """PEP 728; type checkers do not know it everywhere yet."""
    make: Any = typing_extensions.TypedDict
    classes = make("A", {"a": int}, closed=True), make("B", {"a": int}, extra_items=str), make("C", {"a": int})
    read = [Contract.from_annotations(cls).to_json_schema().get("additionalProperties") for cls in classes]
    assert read == [False, {"type": "string"}, None]
