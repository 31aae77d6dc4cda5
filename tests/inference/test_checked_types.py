"""What the type checker finds becomes a finding where both places are in the project, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.analysis import type_checker
from graphbus_core.analysis.type_checker import pyrefly, ty
from graphbus_core.cli.main import main
from graphbus_core.findings import Finding
from graphbus_core.inference import infer

pytestmark = pytest.mark.skipif(ty.find_executable() is None, reason="ty is not installed")

STORE = """
import re
from typing import TypedDict


class Row:
    name: str = ""


class Keyed(TypedDict):
    sku: str


class Store:
    def __init__(self) -> None:
        self.current: Row | None = None

    def find(self, key: str) -> Row | None:
        return Row() if key else None

    async def load(self, key: str) -> Row:
        return Row()


def first(rows: list[str]) -> str:
    return rows[0]
"""


def find(folder: Path, use: str) -> list[Finding]:
    """What the checker adds to a program of two files; the second is the one that is judged."""
    (folder / "store.py").write_text(STORE)
    (folder / "use.py").write_text(f"import re\nfrom store import Keyed, Row, Store, first\n\n\n{use}\n")
    (folder / "pyproject.toml").write_text("")
    inferred = infer(folder, types=True)
    assert inferred.types == "ty"
    return [finding for finding in inferred.findings if finding.file == "use.py"]


@pytest.mark.parametrize(
    ("use", "related"),
    [
        ("def f(s: Store, key: str) -> str:\n    return s.find(key).name", 18),
        ("def f(s: Store) -> str:\n    row = s.find('a')\n    return row.name", 18),
        ("def f(s: Store) -> str:\n    return s.current.name", 16),
        ("def f(xs: list[int]) -> str:\n    return first(xs)", 25),
        ("async def f(s: Store) -> str:\n    return s.load('a').name", 21),
        ("def f(s: Store) -> str:\n    return s.find('a')['x']", 18),
        ("def f(s: Store) -> list[Row]:\n    return [x for x in s.find('a')]", 18),
        ("def f() -> Keyed:\n    row: Keyed = {}\n    return row", 10),
    ],
)
def test_two_places_of_the_project_are_a_finding(use: str, related: int, tmp_path: Path) -> None:
    """Each with the other place; the level says that a checker cannot know what the code around it knows."""
    (finding,) = find(tmp_path, use)
    assert [(place.file, place.line) for place in finding.related] == [("store.py", related)]
    assert finding.code in ("GB502", "GB504", "GB506")


@pytest.mark.parametrize(
    "use",
    [
        "def f(text: str) -> str:\n    return re.match('a', text).group()",
        "def f(s: Store) -> str:\n    return s.find('a').name  # type: ignore",
        "def f(s: Store) -> str:\n    row = s.find('a')\n    return row.name if row else ''",
        "import nowhere\n\n\ndef f() -> int:\n    return nowhere.x",
        "def f(s: Store) -> str:\n    return int(s)",
        "class M:\n    def f(self) -> str:\n        return self.g()\n\n\nclass A(M):\n    def g(self): ...",
    ],
)
def test_what_has_one_place_is_none(use: str, tmp_path: Path) -> None:
    """A library's stubs, a silenced line, a guard, an import that cannot be found, a class that others mix in."""
    assert [finding for finding in find(tmp_path, use) if finding.code == "GB506"] == []


def test_where_no_checker_is_installed_it_says_what_is_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a baseline that was written with one is not called old."""
    find(tmp_path, "def f(s: Store, key: str) -> str:\n    return s.find(key).name")
    monkeypatch.chdir(tmp_path)
    assert main(["baseline", "."]) == 0
    assert '"GB506"' in (tmp_path / "graphbus-baseline.json").read_text()
    capsys.readouterr()
    monkeypatch.setattr(ty, "find_executable", lambda: None)
    monkeypatch.setattr(pyrefly, "find_executable", lambda: None)
    assert type_checker.find_engine(tmp_path) is None
    assert main(["infer", "."]) == 0
    printed = capsys.readouterr().out
    assert "types: not run (no type checker is installed)" in printed
    assert "GB903" not in printed
