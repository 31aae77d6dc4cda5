"""The plan language: what is a change of a symbol, and what is said of a line that is none."""

from __future__ import annotations

import pytest

from graphbus_core.negotiation.team.plan import Change, parse_change, parse_plan

LINES = [
    ("a/b.py::f: add parameter x: int = 3", Change("a/b.py::f", "add parameter", "x", type="int", default="3")),
    ("a.py::f: add parameter x", Change("a.py::f", "add parameter", "x")),
    ("a.py::f: add parameter **more", Change("a.py::f", "add parameter", "**more")),
    ("a.py::C.m: remove parameter x", Change("a.py::C.m", "remove parameter", "x")),
    ("a.py::C.m: rename parameter x to y", Change("a.py::C.m", "rename parameter", "x", "y")),
    ('a.py::f: add key "on": str', Change("a.py::f", "add key", "on", type="str")),
    ("a.py::f: rename key a to b", Change("a.py::f", "rename key", "a", "b")),
    ("a.py::f: returns dict[str, int]", Change("a.py::f", "returns", type="dict[str, int]")),
    ("a.py::f: rename to g", Change("a.py::f", "rename", to="g")),
    ("a.py::f: remove", Change("a.py::f", "remove")),
    ("a.py::f: behaviour: is 0: always", Change("a.py::f", "behaviour", sentence="is 0: always")),
    ("a.py::f: body", Change("a.py::f", "body")),
    ("a.py::f: use", Change("a.py::f", "use")),
    ("a.py::f: add", Change("a.py::f", "add")),
    ("a.py::f: add (a, b=None) -> dict", Change("a.py::f", "add", type="(a, b=None) -> dict")),
    ("Cart.total: body", Change("Cart.total", "body")),
]


@pytest.mark.parametrize(("line", "change"), LINES, ids=[line for line, _ in LINES])
def test_a_line_is_a_change_and_is_written_as_it_was_read(line: str, change: Change) -> None:
    """What is read can be written, and reads the same again; the log keeps it whole."""
    assert parse_change(line) == change
    assert parse_change(change.render()) == change
    assert Change.from_dict(change.to_dict()) == change


@pytest.mark.parametrize(
    "line",
    ["f", "f body", "a.py::f:", "a.py::f: improve", "a.py::f: add paramter x", "a.py::f: rename to", "1x: body",
     "a.py::f: add parameter", "a.py::f: " + "behaviour " + "x" * 500],
)  # fmt: skip
def test_what_is_no_change_is_said_with_its_line(line: str) -> None:
    """Nothing is guessed: each line that is none is a fault with its number."""
    changes, faults = parse_plan(f"a.py::g: body\n{line}\n")
    assert [c.symbol for c in changes] == ["a.py::g"]
    assert [f.line for f in faults] == [2]


def test_empty_lines_comments_and_bullets_are_no_faults() -> None:
    """Agents write lists."""
    changes, faults = parse_plan("# mine\n\n- a.py::f: body\n  - a.py::f: body\n")
    assert [c.kind for c in changes] == ["body"]
    assert faults == []
