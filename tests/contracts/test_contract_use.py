"""Links, changes, operations and payload checks on small contracts, as the rest of the program uses them."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, NotRequired

import pytest

from graphbus_core.contracts import Contract, apply_operation, changes, check, compatibility, validator
from graphbus_core.errors import ContractError
from graphbus_core.model.operation import AddField, RemoveField, RenameField, RetypeField, SetOptional

of = Contract.from_annotations
HERE: dict[str, Any] = {"node": "N", "method": "m", "side": "output"}


@pytest.mark.parametrize(
    ("producer", "consumer", "fits"),
    [
        ({"a": int}, {"a": int}, True),
        ({"a": int, "b": str}, {"a": int}, True),
        ({"a": int}, {"a": float}, True),
        ({"a": float}, {"a": int}, False),
        ({"headlines": list}, {"items": list}, False),
        ({"a": int}, {"a": int, "b": NotRequired[str]}, True),
        ({"a": NotRequired[int]}, {"a": int}, False),
        ({"a": str}, {"a": str | None}, True),
        ({"a": str | None}, {"a": str}, False),
        ({"a": datetime}, {"a": str}, False),
        ({"a": datetime}, {"a": datetime | str}, True),
        ({"a": Path}, {"a": str | None}, False),
        ({"a": Literal["1.5"]}, {"a": str}, True),
        ({"a": Decimal}, {"a": object}, True),
        ({"a": str}, {"a": datetime}, False),
        ({"l": list[dict[str, int]]}, {"l": list[dict[str, float]]}, True),
        ({"l": list}, {"l": list[str]}, False),
    ],
)
def test_a_link(producer: Any, consumer: Any, fits: bool) -> None:
    """The producer's objects are closed, the consumer's open."""
    verdict = check(of(producer), of(consumer))
    assert verdict.compatible is fits
    assert verdict.has_counterexample is not fits
    assert bool(verdict.reasons) is not fits


def test_a_missing_field_is_named() -> None:
    """The reason carries kind and path."""
    verdict = check(of({"headlines": list}), of({"items": list}))
    assert [(r.kind, r.path) for r in verdict.reasons] == [("missing_field", "items")]


def test_plain_schemas_keep_their_semantics() -> None:
    """An object of JSON Schema is open on both sides."""
    a = {"type": "object", "properties": {"a": {"type": "integer"}}}
    b = {"type": "object", "properties": {"b": {"type": "integer"}}}
    assert check(a, b).compatible is False
    assert check(Contract.from_json_schema(a), Contract.from_json_schema(b)).compatible is True


def test_operations_give_the_contract_after_them() -> None:
    """Each operation, on nested paths and in lists."""
    schema = of({"qty": int, "item": {"price": float}, "lines": list[dict]}).to_json_schema()
    after = apply_operation(schema, AddField(**HERE, field="item.vat", type="float | None", optional=True))
    after = apply_operation(after, RenameField(**HERE, field="item.price", to="cost"))
    after = apply_operation(after, RetypeField(**HERE, field="qty", type="str"))
    after = apply_operation(after, AddField(**HERE, field="lines[].sku", type="str"))
    after = apply_operation(after, SetOptional(**HERE, field="qty", optional=True))
    expected = of(
        {
            "qty": NotRequired[str],
            "item": {"cost": float, "vat": NotRequired[float | None]},
            "lines": [{"sku": str}],
        }
    )
    assert after == expected.to_json_schema()
    assert "vat" not in schema["properties"]["item"]["properties"]
    assert apply_operation(None, AddField(**HERE, field="a", type="int")) == of({"a": int}).to_json_schema()
    assert (
        apply_operation(of({"a": int, "b": int}).to_json_schema(), RemoveField(**HERE, field="a"))
        == of({"b": int}).to_json_schema()
    )


def test_a_field_that_is_not_there_is_refused_with_the_nearest() -> None:
    """The message says which fields could have been meant."""
    with pytest.raises(ContractError, match="nearest fields are quantity"):
        apply_operation(of({"quantity": int}).to_json_schema(), RemoveField(**HERE, field="quantiy"))


def test_changes_say_on_which_side_they_break() -> None:
    """Outputs narrow safely, inputs widen safely."""
    old = of({"a": int, "b": str, "c": NotRequired[str], "d": int})
    new = of({"a": float, "c": str, "d": int, "e": NotRequired[int], "f": int})
    found = {c.path: (c.kind, set(c.breaks)) for c in changes(old, new)}
    assert found == {
        "a": ("field_retyped", {"output"}),
        "b": ("field_removed", {"output"}),
        "c": ("made_required", {"input"}),
        "e": ("field_added", set()),
        "f": ("field_added", {"input"}),
    }
    assert changes(old, old) == ()


def test_modes_follow_schema_registries() -> None:
    """BACKWARD reads old data with the new contract."""
    old, new = of({"a": int}), of({"a": int, "b": int})
    assert compatibility(old, new, "BACKWARD").compatible is False
    assert compatibility(old, new, "FORWARD").compatible is True
    assert compatibility(old, new, "FULL").compatible is False
    history = [of({"a": str}), of({"a": int})]
    assert compatibility(history, of({"a": int}), "BACKWARD").compatible is True
    assert compatibility(history, of({"a": int}), "BACKWARD_TRANSITIVE").compatible is False


def test_a_mode_asks_its_own_questions() -> None:
    """Newest first; one no is a no, and what was not decided is not a yes."""

    def asked(history: Any, mode: str) -> list[tuple[int, str]]:
        return [(index, way) for index, way, _ in compatibility(history, new, mode).verdicts]

    new, far = of({"a": int}), {"$ref": "https://example.com/elsewhere"}
    assert asked([new, new], "full-transitive") == [(1, "BACKWARD"), (1, "FORWARD"), (0, "BACKWARD"), (0, "FORWARD")]
    assert asked([new, new], "FORWARD") == [(1, "FORWARD")]
    assert asked([new, new], "BACKWARD") == [(1, "BACKWARD")]
    for nothing in (compatibility(of({"b": str}), new, "NONE"), compatibility([], new)):
        assert (nothing.compatible, nothing.verdicts) == (True, ())
    assert compatibility(far, {"type": "string"}).compatible is None
    assert compatibility([{"type": "null"}, far], {"type": "string"}, "FULL_TRANSITIVE").compatible is False
    with pytest.raises(ContractError, match="SIDEWAYS"):
        compatibility(new, new, "SIDEWAYS")


def test_payload_checks_name_the_path() -> None:
    """None where it fits; the first violation where it does not."""
    check_payload = validator(of({"sku": str, "lines": [{"qty": int}]})).check
    assert check_payload({"sku": "a", "lines": [{"qty": 1}], "more": 1}) is None
    assert str(check_payload({"sku": "a", "lines": [{"qty": 1}, {"qty": "x"}]})) == (
        'lines[1].qty: must be integer, got "x"'
    )
    assert check_payload({"sku": "a"}).path == "lines"  # type: ignore[union-attr]
    assert check_payload({"sku": True, "lines": []}).path == "sku"  # type: ignore[union-attr]
    assert validator(of({"a": int}), side="output").check({"a": 1, "b": 2}) is not None
    assert validator(of({"when": datetime})).check({"when": datetime(2024, 1, 1)}) is None
    assert validator(of({"when": datetime})).check({"when": "soon"}) is not None


def test_a_closed_reading_lies_within_the_contract_and_that_within_the_open_one() -> None:
    """Also where branches overlap: closing the branches of a oneOf makes them overlap less."""
    overlapping = {"oneOf": [{"properties": {"a": {}, "b": {}}}, {"properties": {"b": {}}}]}
    negated = {"type": "object", "not": {"properties": {"a": {"type": "string"}}, "required": ["a"]}}
    together = {"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}], "type": "object"}
    for schema in (overlapping, negated, together):
        contract = Contract(schema)
        assert check(contract.closed, schema).compatible is True
        assert check(schema, contract.opened).compatible is True
    assert check(Contract(together).closed, {"propertyNames": {"enum": ["a", "b"]}}).compatible is True


def test_true_and_false_are_contracts() -> None:
    """They are schemas; reading `True` raised TypeError."""
    anything, nothing = Contract.from_json_schema(True), Contract.from_json_schema(False)
    assert check(False, True).compatible is True
    assert check(nothing, anything).compatible is None  # on a link, a producer that can send nothing fits nothing
    assert check(anything, nothing).compatible is False
    assert validator(anything).check({"a": 1}) is None
