"""The rules of the house, held for every file: no circles, rooms and functions that fit a head, nothing unused."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from graphbus_core.nearest import near_names
from tests.structure import exceptions
from tests.structure.house import KINDS, ROOT, House, circles
from tests.structure.unused import ALLOWLIST, unused_names, vulture

# Circles that are left when imports inside functions and below TYPE_CHECKING are counted too. May only shrink.
OPEN_CIRCLES: list[set[str]] = []


@pytest.fixture(scope="module")
def house() -> House:
    return House()


def test_no_circle_of_files_that_load_each_other(house: House) -> None:
    """Imports at the top of a module make no circle: there is no exception to this one."""
    found = circles(house.imports(), ["load"])
    assert found == [], f"these files load each other; move what both need to a file below both: {found}"


def test_no_new_circle_through_late_or_typing_imports(house: House) -> None:
    """A circle that only a late or a typing import closes is still a circle for who reads; the known ones shrink."""
    found = [set(circle) for circle in circles(house.imports(), KINDS)]
    new = [sorted(circle) for circle in found if not any(circle <= known for known in OPEN_CIRCLES)]
    gone = [sorted(known) for known in OPEN_CIRCLES if known not in found]
    assert new == [], f"these files need each other; move what both need to a file below both: {new}"
    assert gone == [], f"this circle is open or smaller now; write that in OPEN_CIRCLES of this file: {gone}"


def test_rooms_files_and_functions_fit(house: House) -> None:
    """No room, file or function is larger than its rule, but for a list that only gets shorter."""
    faults = exceptions.faults(exceptions.measured(house), exceptions.listed())
    assert faults == [], "\n" + "\n".join(faults)


def test_ruff_looks_away_only_where_an_exception_stands() -> None:
    """What ruff is told to pass over is no more than the list of exceptions."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["ruff"]["lint"]["per-file-ignores"]
    listed = {name.split("::")[0] for name in exceptions.listed()["complexity"]}
    late = sorted(name for name in told if name.startswith("graphbus_core/") and name not in listed)
    assert late == [], f"take these lines out of [tool.ruff.lint.per-file-ignores] in pyproject.toml: {late}"


def test_every_room_and_file_says_its_purpose(house: House) -> None:
    """The first docstring line is what a reader of the tree sees, so each file has one."""
    silent = [house.where(p) for p, tree in house.tree.items() if not re.match(r"\s*(#.*\n)*r?\"\"\"\S", house.text[p])]
    assert silent == [], f"say in the first line what this file is for: {silent}"


def test_nothing_is_unused() -> None:
    """Nothing in the package is without a user, but for what stands in the allowlist with its reason."""
    found = vulture(str(ALLOWLIST.relative_to(ROOT)))
    advice = "delete it; if somebody outside the package calls it, add `_.name` to tests/structure/used_from_outside.py"
    assert found == [], f"\n{advice}\n" + "\n".join(found)


def test_the_allowlist_holds_nothing_that_is_used() -> None:
    """A name that is used by now, or gone, leaves the allowlist."""
    unused = unused_names(vulture())
    allowed = re.findall(r"^_\.(\w+)", ALLOWLIST.read_text("utf-8"), re.MULTILINE)
    late = sorted(set(allowed) - unused)
    assert late == [], f"take these lines out of tests/structure/used_from_outside.py: {late}"
    assert sorted(allowed, key=allowed.index) == list(dict.fromkeys(allowed))


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


def test_a_thing_that_grows_and_one_that_fits_again_are_both_told(tmp_path: Path) -> None:
    """The list only shrinks: growth is a fault, and so is an entry that nothing needs."""
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "big.py").write_text('"""Big."""\n' * 500)
    (tmp_path / "p" / "deep.py").write_text("def f(x):\n" + "    if x: x = 1\n" * 20 + "    return x\n" + "\n" * 50)
    found = exceptions.measured(House(tmp_path, "p"))
    assert (found["file_lines"], found["complexity"]) == ({"p/big.py": 500}, {"p/deep.py::f": 21})
    none: dict[str, dict[str, int]] = {rule: {} for rule in exceptions.RULES}
    both = {**none, "file_lines": {"p/big.py": 500}, "complexity": {"p/deep.py::f": 21}}
    assert len(exceptions.faults(found, none)) == 2
    assert exceptions.faults(found, both) == []
    assert "It had 499" in exceptions.faults(found, {**both, "file_lines": {"p/big.py": 499}})[0]
    assert "make house" in exceptions.faults(none, {**none, "file_lines": {"p/big.py": 500}})[0]
    assert '"p/big.py" = 450' in exceptions.tightened({**found, "file_lines": {"p/big.py": 450}}, both)
    assert "deep" not in exceptions.tightened({**found, "complexity": {}}, both)


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
