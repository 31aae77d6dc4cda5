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


class Judged:
    """A schema with what is the same for every list of values: its checks, and which of VALUES fit alone."""

    def __init__(self, schema: dict[str, Any]) -> None:
        check = validator(schema).check
        self.locate = build_bulk_check(schema, NONE)
        self.fits = [check(value) is None for value in VALUES]
        self.good = [place for place, fits in enumerate(self.fits) if fits]
        self.check_list = validator({"type": "array", "items": schema}).check
        self.check_mapping = validator({"type": "object", "additionalProperties": schema}).check

    def first_wrong(self, places: list[int]) -> int | None:
        """Where the first value stands that does not fit alone."""
        return next((i for i, place in enumerate(places) if not self.fits[place]), None)


@pytest.fixture(scope="module", params=SCHEMAS, ids=str)
def judged(request: pytest.FixtureRequest) -> Judged:
    """Each schema, compiled once and not once a list."""
    return Judged(request.param)


def draw_places(data: Any, places: list[int], least: int, most: int) -> list[int]:
    """Places of VALUES, drawn from some of them."""
    drawn: list[int] = data.draw(st.lists(st.sampled_from(places), min_size=least, max_size=most))
    return drawn


@given(data=st.data())
def test_the_first_doubtful_index_is_at_most_that_of_the_first_that_does_not_fit(judged: Judged, data: Any) -> None:
    """An index may come early, never late; -1 stands for a list in which every value fits alone."""
    if judged.locate is None:
        return
    every = list(range(len(VALUES)))
    places = draw_places(data, judged.good or every, 1, 12)
    places += draw_places(data, every, 0, 3) + draw_places(data, judged.good or every, 0, 9)
    wrong = judged.first_wrong(places)
    found = judged.locate([VALUES[place] for place in places])
    assert found == -1 if wrong is None and found < 0 else found >= 0 and (wrong is None or found <= wrong)


@given(data=st.data())
def test_a_long_list_and_a_long_mapping_have_the_violation_of_their_first_wrong_value(
    judged: Judged, data: Any
) -> None:
    """The compiled check, its note of where it stopped and the search name the same place as one check a value."""
    good = judged.good or [VALUES.index("AB-1")]
    places = good[:1] * (LEAST + 1) + draw_places(data, [*good, *range(len(VALUES))], 0, 20)
    wrong = judged.first_wrong(places)
    items = [VALUES[place] for place in places]
    for check, payload, path in (
        (judged.check_list, items, f"[{wrong}]"),
        (judged.check_mapping, {f"k{i}": value for i, value in enumerate(items)}, f"k{wrong}"),
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
