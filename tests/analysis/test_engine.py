"""The kept type checker behind its port: findings as (file, text), places, and what a project cannot switch off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphbus_core.analysis.type_checker import find_engine, pyrefly, ty
from graphbus_core.analysis.type_checker.port import (
    Diagnostic,
    Engine,
    EngineFailed,
    Place,
    find_added_ignores,
    find_new_findings,
)
from graphbus_core.analysis.type_checker.pyrefly import Pyrefly
from graphbus_core.analysis.type_checker.ty import Ty

A = """class Load:
    def load(self, x: int) -> dict[str, int]:
        return {"a": x}


class More(Load):
    def load(self, x: int) -> dict[str, int]:
        return {}


one = Load()
one.load(1)
"""


@pytest.fixture(params=[Ty, Pyrefly])
def engine(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Each engine finds the same: nothing above the port knows which one it is."""
    (tmp_path / "a.py").write_text(A, "utf-8")
    with request.param(tmp_path) as made:
        yield made


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Ty]:
    """The one that answers questions about places."""
    (tmp_path / "a.py").write_text(A, "utf-8")
    with Ty(tmp_path) as made:
        yield made


def test_a_project_cannot_silence_the_checker(engine: Engine, tmp_path: Path) -> None:
    """Our own settings are passed: a ty.toml that ignores everything, and `type: ignore`, change nothing."""
    (tmp_path / "b.py").write_text("from a import Load\n\nLoad().lod(1)\nx: int = 'a'  # type: ignore\n", "utf-8")
    found = engine.find_diagnostics(tmp_path)
    assert [(d.path, d.line) for d in found] == [("b.py", 3), ("b.py", 4)]
    (tmp_path / "ty.toml").write_text('[rules]\nall = "ignore"\n', "utf-8")
    (tmp_path / "pyrefly.toml").write_text('preset = "off"\n', "utf-8")
    (tmp_path / ".gitignore").write_text("*.py\n", "utf-8")
    assert engine.find_diagnostics(tmp_path) == found


def test_builds_are_left_out(engine: Engine, tmp_path: Path) -> None:
    """Frozen sources in `.graphbus` are not sources."""
    (tmp_path / ".graphbus").mkdir()
    (tmp_path / ".graphbus" / "b.py").write_text("x: int = 'a'\n", "utf-8")
    assert engine.find_diagnostics(tmp_path) == ()


def test_places_are_answered(served: Ty) -> None:
    """Where a method is defined."""
    assert served.find_definition(Place("a.py", 12, 4)) == (Place("a.py", 2, 8),)


def test_a_text_that_is_not_written_counts(served: Ty) -> None:
    """What is shown replaces what is on the disk, also twice."""
    for above in (3, 5):
        served.show("a.py", b"\n" * above + b"def one(): ...\none()\n")
        assert served.find_definition(Place("a.py", above + 2, 0)) == (Place("a.py", above + 1, 4),)


def test_a_server_that_is_gone_is_an_error_with_a_sentence(served: Ty) -> None:
    """Never a hang and never an empty answer."""
    served.find_definition(Place("a.py", 12, 4))
    assert served._server is not None
    served._server._process.kill()
    with pytest.raises(EngineFailed, match="has ended"):
        served.find_definition(Place("a.py", 12, 4))


def test_new_findings_are_compared_by_file_and_text() -> None:
    """A finding that only moved is old; the same one twice as often is new once."""
    old = Diagnostic("a.py", 3, "r", "no such name")
    assert find_new_findings([old], [Diagnostic("a.py", 9, "r", "no such name")]) == ()
    again = Diagnostic("a.py", 12, "r", "no such name")
    assert find_new_findings([old], [Diagnostic("a.py", 9, "r", "no such name"), again]) == (again,)


@pytest.mark.parametrize("comment", ["# type: ignore", "# ty: ignore[x]", "# type:ignore", "# pyright: ignore"])
def test_an_added_ignore_comment_is_named(comment: str) -> None:
    """One that was there may stay and move."""
    before = {"a.py": f"x = 1  {comment}\n".encode()}
    after = {"a.py": f"\n\nx = 1  {comment}\ny = 2  {comment}\n".encode()}
    assert find_added_ignores(before, after) == ("a.py:4",)
    assert find_added_ignores(before, {"a.py": b"\n" + before["a.py"]}) == ()


DECORATED = """from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, publishes, schema_method, subscribe


class Row(TypedDict):
    x: int


class A(GraphBusNode):
    {decorator}
    def go(self, x: int) -> str:
        return str(x)


A().go(y=1)
"""


@pytest.mark.parametrize(
    "decorator",
    [
        "@schema_method",
        "@schema_method()",
        '@schema_method(input_schema={"x": int})',
        "@schema_method(Row, Row)",
        "@schema_method(Row)",
        '@subscribe("/t")',
        '@publishes("/t")',
        '@depends_on("B")',
    ],
)
def test_our_decorators_keep_the_signature(engine: Engine, tmp_path: Path, decorator: str) -> None:
    """A wrong keyword at a caller is seen through every one of them."""
    (tmp_path / "d.py").write_text(DECORATED.format(decorator=decorator), "utf-8")
    found = [d.message for d in engine.find_diagnostics(tmp_path)]
    assert len(found) == 2
    assert any("issing argument" in one or "No argument provided" in one for one in found)
    assert any("nexpected keyword" in one or "does not match any known parameter" in one for one in found)


def test_ty_is_asked_first_and_pyrefly_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With neither there is no engine."""
    for missing, expected in (((), Ty), ((ty,), Pyrefly), ((ty, pyrefly), type(None))):
        for one in missing:
            monkeypatch.setattr(one, "find_executable", lambda: None)
        found = find_engine(tmp_path)
        assert type(found) is expected
        if found is not None:
            found.close()


def test_pyrefly_starts_no_interpreter_of_the_project(tmp_path: Path) -> None:
    """What stands in the project's own environment is read, and never run."""
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("", "utf-8")
    for name in ("python", "python3"):
        (python.parent / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n", "utf-8")
        (python.parent / name).chmod(0o755)
    (tmp_path / "a.py").write_text("x: int = 'a'\n", "utf-8")
    with Pyrefly(tmp_path) as engine:
        assert [d.line for d in engine.find_diagnostics(tmp_path)] == [1]
        assert engine.find_definition(Place("a.py", 1, 0)) == ()
    assert not (tmp_path / "ran").exists()
