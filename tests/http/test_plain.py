"""Whatever a program publishes or returns can be told as strict JSON, and telling it never raises."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, strategies as st

from graphbus_core.services.json_values import dump_json, make_jsonable


class Hostile:
    def __str__(self) -> str:
        raise ValueError("no")


@dataclass
class Row:
    inner: Any


def circular() -> list[Any]:
    found: list[Any] = []
    found.append({"again": found})
    return found


def deep() -> list[Any]:
    found: list[Any] = []
    for _ in range(100_000):
        found = [found]
    return found


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"v": float("nan"), "w": [float("-inf")]}, {"v": "nan", "w": ["-inf"]}),
        ({(1, 2): 3}, {"(1, 2)": 3}),
        (circular(), [{"again": "(contains itself)"}]),
        ({"x": Hostile()}, {"x": "(a Hostile that cannot be shown)"}),
        ("\ud800", "\\ud800"),
        ({"\ud800": 1}, {"\\ud800": 1}),
        (Row(Row({1, 2})), {"inner": {"inner": [1, 2]}}),
        (10**20, 10**20),
    ],
)
def test_shown(value: Any, shown: Any) -> None:
    """What has no form in JSON is shown as text, and the rest around it stays as it is."""
    assert make_jsonable(value) == shown


def test_a_huge_integer() -> None:
    """What Python does not write in decimal is shown in hexadecimal."""
    assert make_jsonable([1 << 20_000]) == [hex(1 << 20_000)]


def test_too_deep() -> None:
    """A value nested without end is cut off, not an error."""
    assert "(too deep)" in dump_json(deep())


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.integers() | st.text() | st.tuples(), inner),
        max_leaves=20,
    )
)
def test_always_strict_json(value: Any) -> None:
    """No constant that browsers do not know, no lone surrogate, and JSON that is read back."""

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    text = dump_json(value)
    assert dump_json(json.loads(text.encode("utf-8"), parse_constant=refuse)) == text
