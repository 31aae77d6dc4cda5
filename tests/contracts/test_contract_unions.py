"""Unions of an API as they are meant: by discriminator and mapping, by a constant, else branch by branch."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Annotated, Any

import pytest

from graphbus_core.contracts import Contract, check, validator
from graphbus_core.contracts.loaders import loader
from graphbus_core.findings import Level
from graphbus_core.services.contract_diff.differences import Difference, list_differences
from graphbus_core.services.contract_diff.sources import CompareOptions

Schemas = dict[str, Any]


def build_object(**fields: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": kind} for name, kind in fields.items()}}


def lead(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def build_api(schemas: Schemas) -> dict[str, Any]:
    """`POST /pets` takes a Pet and answers with one."""
    content = {"content": {"application/json": {"schema": lead("Pet")}}}
    operation = {"requestBody": content, "responses": {"200": {"description": "", **content}}}
    head = {"openapi": "3.1.0", "info": {"title": "pets", "version": "1"}}
    return {**head, "paths": {"/pets": {"post": operation}}, "components": {"schemas": schemas}}


def compare(old: Schemas, new: Schemas) -> tuple[Difference, ...]:
    def read(schemas: Schemas) -> loader.LoadResult:
        data = json.dumps(build_api(schemas)).encode()
        return loader.read_file("api.json", lambda _: data, None)

    return list_differences(read(old), read(new), CompareOptions("FULL", "link"))


def list_errors(old: Schemas, new: Schemas) -> list[tuple[str, Any]]:
    """Each error: where it breaks, `body` or `200`, and its payload."""
    errors = [entry.finding for entry in compare(old, new) if entry.finding.level is Level.ERROR]
    return [("body" if " body " in e.message else "200", e.payload if e.has_payload else None) for e in errors]


def edit(schemas: Schemas, change: Callable[[Schemas], Any]) -> Schemas:
    edited = copy.deepcopy(schemas)
    change(edited)
    return edited


BRANCHES = {"Cat": build_object(kind="string", lives="integer"), "Dog": build_object(kind="string", bark="string")}
UNION = {"oneOf": [lead("Cat"), lead("Dog")]}
UNTAGGED: Schemas = {"Pet": UNION, **BRANCHES}
TAGGED: Schemas = {"Pet": {**UNION, "discriminator": {"propertyName": "kind"}}, **BRANCHES}
MAPPED = edit(TAGGED, lambda s: s["Pet"]["discriminator"].update(mapping={"c": "Cat", "d": lead("Dog")["$ref"]}))
KIND = {"type": "object", "properties": {"kind": {"type": "string"}}, "required": ["kind"]}
PARENT: Schemas = {
    "Pet": {**KIND, **TAGGED["Pet"]},
    **{name: {"allOf": [lead("Pet"), schema]} for name, schema in BRANCHES.items()},
}
CHILDREN = edit(PARENT, lambda s: s["Pet"].pop("oneOf"))


def find_cat(schemas: Schemas) -> dict[str, Any]:
    cat: dict[str, Any] = schemas["Cat"]["allOf"][1] if "allOf" in schemas["Cat"] else schemas["Cat"]
    return cat


@pytest.mark.parametrize(
    ("schemas", "tag"),
    [(TAGGED, "Cat"), (MAPPED, "c"), (PARENT, "Cat"), (CHILDREN, "Cat")],
    ids=["discriminator", "mapping", "a parent with its union", "a parent that names no union"],
)
def test_a_branch_is_judged_against_its_own_by_its_tag(schemas: Schemas, tag: str) -> None:
    """Each passed as "keeps its meaning", because every value fits the other open branch too."""
    retyped = edit(schemas, lambda s: find_cat(s)["properties"].update(lives={"type": "string"}))
    errors = list_errors(schemas, retyped)
    assert [place for place, _ in errors] == ["body", "200"]
    assert errors[0][1]["kind"] == tag
    required = edit(schemas, lambda s: find_cat(s).update(required=["lives"]))
    assert [place for place, _ in list_errors(schemas, required)] == ["body"]
    assert list_errors(schemas, edit(schemas, lambda s: find_cat(s).update(description="purrs"))) == []


def test_a_branch_that_is_gone_breaks_who_sends_it_and_one_that_came_who_reads_it() -> None:
    one = edit(TAGGED, lambda s: s["Pet"]["oneOf"].pop())
    assert list_errors(TAGGED, one) == [("body", {"kind": "Dog"})]
    assert list_errors(one, TAGGED) == [("200", {"kind": "Dog"})]


def test_another_text_for_a_branch_breaks() -> None:
    renamed = edit(MAPPED, lambda s: s["Pet"]["discriminator"].update(mapping={"cat": "Cat", "d": "Dog"}))
    assert [place for place, _ in list_errors(MAPPED, renamed)] == ["body", "200"]


def test_a_constant_tells_branches_apart() -> None:
    """The union of a generator that writes no discriminator."""
    told = edit(UNTAGGED, lambda s: [s[n]["properties"].update(kind={"const": n}) for n in BRANCHES])
    told = edit(told, lambda s: [s[n].update(required=["kind"]) for n in BRANCHES])
    retyped = edit(told, lambda s: s["Cat"]["properties"].update(lives={"type": "string"}))
    assert [payload["kind"] for _, payload in list_errors(told, retyped)] == ["Cat", "Cat"]


def test_open_branches_without_a_tag_are_judged_one_to_one_and_the_line_says_so() -> None:
    retyped = edit(UNTAGGED, lambda s: s["Cat"]["properties"].update(lives={"type": "string"}))
    errors = [e.finding for e in compare(UNTAGGED, retyped) if e.finding.level is Level.ERROR]
    assert [e.payload for e in errors] == [{"lives": 0}, {"lives": ""}]
    assert all("branch by branch" in e.reasons[0] for e in errors)
    assert "<Cat>.lives" in errors[0].message
    gone = edit(UNTAGGED, lambda s: s["Pet"]["oneOf"].pop())
    assert [place for place, _ in list_errors(UNTAGGED, gone)] == ["body"]
    assert [place for place, _ in list_errors(gone, UNTAGGED)] == ["200"]


def test_closed_branches_without_a_tag_are_judged_one_to_one() -> None:
    closed = edit(UNTAGGED, lambda s: s["Cat"].update(additionalProperties=False))
    retyped = edit(closed, lambda s: s["Cat"]["properties"].update(lives={"type": "string"}))
    assert [payload for _, payload in list_errors(closed, retyped)] == [{"lives": 0}, {"lives": ""}]


HARMLESS: list[Callable[[Schemas], Any]] = [
    lambda s: s["Pet"]["oneOf"].reverse(),
    lambda s: s["Pet"].update(anyOf=s["Pet"].pop("oneOf")),
    lambda s: s["Cat"]["properties"].update(age={"type": "integer"}),
    lambda s: s.update(Kitty=s["Cat"], Cat=lead("Kitty")),
    lambda s: s["Pet"].update(oneOf=[s["Cat"], s["Dog"]]),
]


@pytest.mark.parametrize(
    "change", HARMLESS, ids=["order", "anyOf", "an optional field", "behind a reference", "inline"]
)
def test_what_breaks_nobody_in_a_union_is_not_reported(change: Callable[[Schemas], Any]) -> None:
    assert list_errors(UNTAGGED, edit(UNTAGGED, change)) == []


def test_what_no_value_fulfils_is_a_finding_and_no_fit() -> None:
    """The empty set fits everything: an answer that can be nothing passed every reader."""
    old = {"Pet": build_object(name="string")}
    contradictory = {"allOf": [{"type": "string"}, {"type": "integer"}]}
    new = edit(old, lambda s: s["Pet"]["properties"].update(name=contradictory))
    told = [e.finding for e in compare(old, new) if e.finding.level is Level.ERROR]
    assert [(e.code, "body" in e.message) for e in told] == [("GB301", True), ("GB304", False)]
    assert "can be nothing: no value fulfils `allOf`" in told[1].message
    back = [e.finding for e in compare(new, old) if e.finding.level is Level.ERROR]
    assert any("could be nothing before" in e.message for e in back)


def test_what_came_with_nothing_in_it_is_told() -> None:
    """An added field, and an operation whose body nobody can send."""
    old = {"Pet": build_object(name="string")}
    new = edit(old, lambda s: s["Pet"]["properties"].update(age={"type": "string", "enum": [1]}))
    assert any("age can be nothing" in e.finding.message for e in compare(old, new))


def test_an_operation_that_came_with_a_body_nobody_can_send_is_told() -> None:
    def read(document: Any) -> loader.LoadResult:
        return loader.read_file("api.json", lambda _: json.dumps(document).encode(), None)

    old = build_api({"Pet": {"type": "string", "enum": [1]}})
    told = list_differences(read({**old, "paths": {}}), read(old), CompareOptions("FULL", "link"))
    assert any("POST /pets body application/json can be nothing" in e.finding.message for e in told)


def test_fields_count_in_the_direction_in_which_they_are_sent() -> None:
    """OpenAPI 3.1, 4.8.24: `readOnly` is not sent in a request, `writeOnly` not in an answer; nor required there."""
    old = {"Pet": build_object(id="integer", secret="string")}
    old["Pet"]["properties"]["id"]["readOnly"] = True
    old["Pet"]["properties"]["secret"]["writeOnly"] = True
    other = edit(old, lambda s: [s["Pet"]["properties"][name].update(type="boolean") for name in ("id", "secret")])
    assert [(place, list(payload)) for place, payload in list_errors(old, other)] == [
        ("body", ["secret"]),
        ("200", ["id"]),
    ]
    needed = edit(old, lambda s: s["Pet"].update(required=["id"]))
    assert list_errors(old, needed) == []
    assert list_errors(needed, old) == [("200", {})]


def test_a_branch_that_takes_anything_still_wants_its_field() -> None:
    """The compiled check never looked whether the field is there."""
    contract = Contract.from_annotations({"kind": Annotated[Any, "a text"] | None})
    assert str(validator(contract).check({})) == "kind: is missing"
    assert validator(contract, side="input").check({"kind": 1}) is None


def test_an_id_under_an_unknown_keyword_names_nothing() -> None:
    """It proved a fit with what no reader takes for a schema."""
    other = {"$id": "https://example.com/inner", "type": "string"}
    schema = {"$id": "https://example.com/", "$ref": "inner", "x-note": other}
    assert check(schema, {"type": "string"}).compatible is None
    real = {**schema, "$defs": {"i": {**other, "type": "integer"}}}
    assert check(real, {"type": "integer"}).compatible is True


def test_a_union_that_holds_itself_is_judged_branch_by_branch() -> None:
    """A tree of open branches without a tag: its copy held the union again, without an end."""
    tree = edit(UNTAGGED, lambda s: s["Cat"]["properties"].update(kittens=s["Pet"], next=lead("Pet")))
    retyped = edit(tree, lambda s: s["Cat"]["properties"].update(lives={"type": "string"}))
    assert [place for place, _ in list_errors(tree, retyped)][:1] == ["body"]
    assert list_errors(tree, edit(tree, lambda s: s["Cat"].update(description="purrs"))) == []
