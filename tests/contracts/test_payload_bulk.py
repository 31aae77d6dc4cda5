"""Many values looked at together are judged as each of them alone."""

from __future__ import annotations

import gc
import math
import weakref
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given, strategies as st

from graphbus_core.contracts import validator
from graphbus_core.contracts.validation.bulk import LEAST, build_bulk_check

NONE: frozenset[str] = frozenset()


class Shade(StrEnum):
    DARK = "AB-1"


SCHEMAS: list[dict[str, Any]] = [
    {"type": "integer"},
    {"type": "number"},
    {"type": "string"},
    {"type": "boolean"},
    {"type": "string", "minLength": 2},
    {"type": "string", "maxLength": 3},
    {"type": "string", "minLength": 2, "maxLength": 3, "description": "a text"},
    {"type": "string", "pattern": "^[A-Z]+-[0-9]+$"},
    {"type": "string", "pattern": "^[A-Z]{1,2}-[0-9]+$", "minLength": 4, "maxLength": 5},
    {"type": "string", "pattern": "[A-Z]"},
    {"type": "string", "pattern": "^A|B$"},
    {"type": "string", "pattern": "(^A)(a|b)*$"},
    {"type": "string", "pattern": "^[^a]*$"},
    {"type": "string", "pattern": "^(A|AB)(B|-)?1*1$"},
    {"type": "string", "pattern": "a*ab"},
    {"type": "string", "pattern": "^.$"},
    {"type": "string", "pattern": "\\bA"},
]
TEXTS = ["AB-1", "A-12", "AB", "a", "", "ABC-123", "A\0B", "\0", "AB-1\0", "A\nB", "\ud800", "aab", "é", "A1", "A-1\n"]
VALUES: list[Any] = [*TEXTS, 1, 0, -5, 10**400, 1.0, 1.5, math.nan, math.inf, True, None, [], {}, Shade.DARK]


def judge(schema: dict[str, Any], value: Any) -> bool:
    """Whether a value alone fits."""
    return validator(schema).check(value) is None


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
@given(data=st.data())
def test_the_first_doubtful_index_is_at_most_that_of_the_first_that_does_not_fit(schema: Any, data: Any) -> None:
    """An index may come early, never late; -1 stands for a list in which every value fits alone."""
    locate = build_bulk_check(schema, NONE)
    if locate is None:
        return
    good = [value for value in VALUES if judge(schema, value)]
    items = data.draw(st.lists(st.sampled_from(good or VALUES), min_size=1, max_size=12))
    items += data.draw(st.lists(st.sampled_from(VALUES), max_size=3))
    items += data.draw(st.lists(st.sampled_from(good or VALUES), max_size=9))
    wrong = next((i for i, value in enumerate(items) if not judge(schema, value)), -1)
    found = locate(items)
    assert found == -1 if wrong < 0 and found < 0 else found >= 0 and (wrong < 0 or found <= wrong)


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
@given(data=st.data())
def test_a_long_list_and_a_long_mapping_have_the_violation_of_their_first_wrong_value(schema: Any, data: Any) -> None:
    """The compiled check, its note of where it stopped and the search name the same place as one check a value."""
    good = [value for value in VALUES if judge(schema, value)] or ["AB-1"]
    items = good[:1] * (LEAST + 1) + data.draw(st.lists(st.sampled_from(good + VALUES), max_size=20))
    wrong = next((i for i, value in enumerate(items) if not judge(schema, value)), None)
    for check, payload, path in (
        (validator({"type": "array", "items": schema}).check, items, f"[{wrong}]"),
        (
            validator({"type": "object", "additionalProperties": schema}).check,
            {f"k{i}": value for i, value in enumerate(items)},
            f"k{wrong}",
        ),
    ):
        violation = check(payload)
        assert (violation is None) is (wrong is None)
        assert violation is None or violation.path.startswith(path)


def test_a_pattern_that_cannot_be_joined_is_looked_at_one_by_one() -> None:
    """An anchor within, or a look around: no answer for many at once, and none that is guessed."""
    for pattern in ("^A|B$", "(^A)b", "a(?!b)", "\\bA"):
        assert build_bulk_check({"type": "string", "pattern": pattern}, NONE) is None
    assert build_bulk_check({"type": "string", "format": "date"}, frozenset({"date"})) is None


def test_a_payload_that_another_branch_takes_is_not_held() -> None:
    """What a refused branch noted is let go of with the payload."""

    class Sized(list[Any]):
        """A list that can be watched."""

    numbers = {
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"type": "integer"}}},
        "required": ["a"],
    }
    texts = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}, "required": ["a"]}
    check = validator({"anyOf": [numbers, texts]}).check
    for payload in ({"a": Sized(["x"] * 100)}, {"a": ["x"] * 100}):
        watched = weakref.ref(payload["a"]) if isinstance(payload["a"], Sized) else None
        assert check(payload) is None
        assert not check.__globals__["doubts"]  # type: ignore[attr-defined]
        if watched is not None:
            payload.clear()
            gc.collect()
            assert watched() is None
    assert check({"a": [1] * 100 + ["x"]}) is not None
    assert not check.__globals__["doubts"]  # type: ignore[attr-defined]
