"""The rules of the house, held for every file: no circles, rooms and functions that fit a head, nothing unused."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from graphbus_core.nearest import near_names
from tests.structure import rules, words
from tests.structure.house import KINDS, MAX_COMPLEXITY, ROOT, House, circles
from tests.structure.unused import allowed, unused_names, vulture

pytestmark = pytest.mark.no_cover


@pytest.fixture(scope="module")
def house() -> House:
    return House()


def test_no_circle_of_files_that_need_each_other(house: House) -> None:
    """A circle that only a late or a typing import closes is still a circle for who reads. There is no exception."""
    found = circles(house.imports(), KINDS)
    assert found == [], f"move what both need to a file below both: {found}"


def test_rooms_files_and_functions_fit(house: House) -> None:
    """No room, file or function is larger than its rule. The list of exceptions is gone, so none can be added."""
    faults = rules.faults(house)
    assert faults == [], "\n" + "\n".join(faults)


def test_no_room_is_thinner_than_three_files(house: House) -> None:
    """One or two files go to a neighbour, unless they are a room of the house itself or hold rooms."""
    files = house.room_files()
    thin = [
        room
        for room, number in files.items()
        if number < 3 and room.count("/") > 1 and not any(other.startswith(f"{room}/") for other in files)
    ]
    assert thin == [], f"let a neighbour hold these files: {thin}"


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


def test_no_word_is_given_to_another_thing(house: House) -> None:
    """A reader who searches a class finds one. Names that several share today are listed, and leave the list."""
    text = words.LIST.read_text("utf-8")
    more = words.shared(house) - words.listed(text)
    assert not more, f"the package has a class of this name: give yours the field's own term: {dict(more)}"
    assert text == words.shortened(text, house), "fewer share a name now: run `make house` and commit the list"


def test_the_words_of_the_docs_are_classes(house: House) -> None:
    """A class that is renamed is renamed in the list of words, too."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    named = set(
        re.findall(r"`(?:[a-z_]+\.)*([A-Z]\w+)`", page.partition("## The words")[2].partition("## The rooms")[0])
    )
    assert len(named) > 15
    classes = {node.name for tree in house.tree.values() for node in tree.body if isinstance(node, ast.ClassDef)}
    assert named - classes == set()


def test_a_word_for_two_things_is_found(tmp_path: Path) -> None:
    """In two files; neither in one file inside another class, nor where it is private."""
    (tmp_path / "p").mkdir()
    for name in "ab":
        (tmp_path / "p" / f"{name}.py").write_text(
            "class Plan: ...\nclass _Own: ...\nclass Of" + name + ":\n class X: ..."
        )
    house = House(tmp_path, "p")
    assert words.shared(house) == {"Plan": 2}
    assert words.shortened("4 Gone\n3 Plan\n", house) == "2 Plan\n"


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
    (tmp_path / "p" / "big.py").write_text('"""Big."""\n' * 401)
    (tmp_path / "p" / "fits.py").write_text('"""Fits."""\n' * 400)
    (tmp_path / "p" / "deep.py").write_text(
        "def f(x):  # noqa: C901\n" + "    if x: x = 1\n" * 20 + "\n" * 50 + "    return x\n"
    )
    said = [fault.split(" To do")[0] for fault in rules.faults(House(tmp_path, "p"))]
    assert said == [
        "p/big.py has 401 lines. The most is 400.",
        "p/deep.py::f has 72 lines. The most is 60.",
        "p/deep.py::f has 21 ways through it. The most is 15.",
    ]


@pytest.mark.parametrize(
    ("word", "room"),
    [("get_close_matches", "graphbus_core/nearest.py"), ("stdlib_module_names", "graphbus_core/origin.py")],
)
def test_what_there_is_one_of_is_called_in_one_place(word: str, room: str) -> None:
    """A second caller decides the same question by itself: use the one that is there."""
    callers = [
        str(file.relative_to(ROOT))
        for file in sorted((ROOT / "graphbus_core").rglob("*.py"))
        if re.search(rf"\b{word}\b", file.read_text("utf-8"))
    ]
    assert callers == [room]


@pytest.mark.parametrize(
    ("name", "sure", "expected"),
    [("evolv", True, ["evolve"]), ("revolver", False, ["evolve"]), ("zzz", False, [])],
)
def test_the_nearest_name(name: str, sure: bool, expected: list[str]) -> None:
    """Half of the letters suffice for a hint; nothing is offered for what is like nothing."""
    assert near_names(name, ["evolve", "build"], sure=sure) == expected
