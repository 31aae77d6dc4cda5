"""The rules of the house, held for every file: no circles, functions that fit a head, names, nothing unused."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from graphbus_core.suggestions import suggest_names
from tests.structure import rules
from tests.structure.house import KINDS, MAX_COMPLEXITY, ROOT, House, circles, read_house
from tests.structure.naming import count_names
from tests.structure.unused import allowed, unused_names, vulture

pytestmark = pytest.mark.no_cover


@pytest.fixture
def house() -> House:
    return read_house()


def test_no_circle_of_files_that_load_each_other(house: House) -> None:
    """A circle of loads can fail at start. An import for types alone is never run, and may point anywhere below."""
    circles_found = circles(house.imports(), ["load"])
    assert circles_found == [], f"move what both need to a file below both: {circles_found}"


def test_files_and_functions_fit(house: House) -> None:
    """No file or function is larger than its rule. The list of exceptions is gone, so none can be added."""
    faults = rules.faults(house)
    assert faults == [], "\n" + "\n".join(faults)


def test_names_say_what_a_thing_does_or_holds(house: House) -> None:
    """The figures of names that the models of the field reach (h11, httpx, starlette, websockets)."""
    counts = count_names(house.tree.values())
    assert counts.participle_share <= 1
    assert counts.verb_share >= 40
    assert counts.empty_share <= 1.5


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def told(): ...", (1, 0, 1)),
        ("def _opened(): ...", (1, 0, 1)),
        ("def need(): ...", (1, 0, 0)),
        ("def render_told(): ...", (1, 1, 0)),
        ("class A:\n def readConfig(self): ...\n def __init__(self): ...", (1, 1, 0)),
        ("async def fits_schema(): ...", (1, 1, 0)),
    ],
)
def test_names_are_counted(source: str, expected: tuple[int, int, int]) -> None:
    """A lone participle, a verb first, in both spellings; dunder methods are not counted."""
    counts = count_names([ast.parse(source)])
    assert (counts.functions, counts.verb_first, counts.lone_participles) == expected


def test_locals_are_counted_in_their_own_function() -> None:
    """A nested function is counted by itself."""
    counts = count_names([ast.parse("def f(at):\n one = made = 1\n def g():\n  found = 2\n  payload = 3")])
    assert (counts.local_names, counts.empty_locals) == (4, 3)


def test_ruff_looks_away_from_nothing_of_the_package() -> None:
    """A file that ruff is told to pass over would be an exception by another name."""
    ruff = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["ruff"]
    assert ruff["lint"]["mccabe"]["max-complexity"] == MAX_COMPLEXITY
    assert [name for name in ruff["lint"]["per-file-ignores"] if name.startswith("graphbus_core")] == []


def test_every_room_and_file_says_its_purpose(house: House) -> None:
    """The first docstring line is what a reader of the tree sees, so each file has one."""
    first = {house.where(p): (ast.get_docstring(tree) or "").partition("\n")[0] for p, tree in house.tree.items()}
    silent = [where for where, line in first.items() if len(line) < 12 or line[-1] not in ".:?)`"]
    assert silent == [], f"say in the first line, as one sentence, what this file is for: {silent}"


@pytest.mark.timeout(330)
def test_nothing_is_unused() -> None:
    """Nothing in the package is without a user, but for what stands in the allowlist with its reason."""
    found = [line for line in vulture() if not unused_names([line]) & set(allowed())]
    advice = "delete it; if somebody outside the package calls it, add `_.name` to tests/structure/used_from_outside.py"
    assert found == [], f"\n{advice}\n" + "\n".join(found)


def test_the_allowlist_holds_nothing_that_is_used() -> None:
    """A name that is used by now, or gone, leaves the allowlist."""
    unused = unused_names(vulture())
    names = allowed()
    late = sorted(set(names) - unused)
    assert late == [], f"take these lines out of tests/structure/used_from_outside.py: {late}"
    assert sorted(names, key=names.index) == list(dict.fromkeys(names))


def test_the_words_of_the_docs_are_classes(house: House) -> None:
    """A class that is renamed is renamed in the list of words, too."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    named = set(
        re.findall(r"`(?:[a-z_]+\.)*([A-Z]\w+)`", page.partition("## The words")[2].partition("## The rooms")[0])
    )
    assert len(named) > 15
    classes = {node.name for tree in house.tree.values() for node in tree.body if isinstance(node, ast.ClassDef)}
    assert named - classes == set()


@pytest.mark.parametrize(
    ("files", "kinds", "expected"),
    [
        ({"a": "from p import b", "b": "import p.a"}, KINDS, [["p.a", "p.b"]]),
        ({"a": "from . import b", "b": "from .a import x"}, ["load"], [["p.a", "p.b"]]),
        ({"a": "from p import b", "b": "def f():\n    import p.a"}, ["load"], []),
        ({"a": "from p import b", "b": "def f():\n    import p.a"}, KINDS, [["p.a", "p.b"]]),
        ({"a": "from p.b import x", "b": "if TYPE_CHECKING:\n    from p.a import y"}, ["load", "late"], []),
        ({"a": "from p.b import x", "b": "try:\n    from p.a import y\nexcept E: pass"}, ["load"], [["p.a", "p.b"]]),
        ({"a": "from p.b import x", "b": "from p.c import x", "c": "import p.a"}, ["load"], [["p.a", "p.b", "p.c"]]),
        ({"a": "from p.b import x", "b": "import os", "c": "import p.a"}, KINDS, []),
    ],
)
def test_circles_are_found(tmp_path: Path, files: dict[str, str], kinds: list[str], expected: list[list[str]]) -> None:
    """Each way to write an import closes a circle, in its own kind."""
    (tmp_path / "p").mkdir()
    for name, text in {"__init__": "", **files}.items():
        (tmp_path / "p" / f"{name}.py").write_text(text)
    assert circles(House(tmp_path, "p").imports(), kinds) == expected


def test_what_is_too_large_is_told(tmp_path: Path) -> None:
    """A file, a function and its branches, each with what to do."""
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "big.py").write_text('"""Big."""\n' * 1001)
    (tmp_path / "p" / "fits.py").write_text('"""Fits."""\n' * 1000)
    (tmp_path / "p" / "deep.py").write_text(
        "def f(x):  # noqa: C901\n" + "    if x: x = 1\n" * 20 + "\n" * 50 + "    return x\n"
    )
    said = [fault.split(" To do")[0] for fault in rules.faults(House(tmp_path, "p"))]
    assert said == [
        "p/big.py has 1001 lines. The most is 1000.",
        "p/deep.py::f has 72 lines. The most is 60.",
        "p/deep.py::f has 21 ways through it. The most is 15.",
    ]


@pytest.mark.parametrize(
    ("word", "room"),
    [("get_close_matches", "graphbus_core/suggestions.py"), ("stdlib_module_names", "graphbus_core/module_origin.py")],
)
def test_what_there_is_one_of_is_called_in_one_place(word: str, room: str) -> None:
    """A second caller decides the same question by itself: use the one that is there."""
    callers = [
        str(file.relative_to(ROOT))
        for file, text in read_house().text.items()
        if re.search(rf"\b{word}\b(?!\")", text)  # in quotes it is a row of a table of names
    ]
    assert callers == [room]


@pytest.mark.parametrize(
    ("name", "sure", "expected"),
    [("evolv", True, ["evolve"]), ("revolver", False, ["evolve"]), ("zzz", False, [])],
)
def test_the_nearest_name(name: str, sure: bool, expected: list[str]) -> None:
    """Half of the letters suffice for a hint; nothing is offered for what is like nothing."""
    assert suggest_names(name, ["evolve", "build"], sure=sure) == expected
