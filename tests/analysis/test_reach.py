"""What a change can reach in a large project: less is looked at, and the same is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.analysis import ProjectAnalysis
from graphbus_core.analysis.files import ProjectFiles
from graphbus_core.analysis.type_checker import contract_types, reach
from graphbus_core.analysis.type_checker.port import find_new_findings
from graphbus_core.analysis.type_checker.reach import find_reach
from graphbus_core.testing import write_files
from tests.analysis.test_typed import Counted

FILES = {
    "app/__init__.py": "",
    "app/prices.py": "def price(sku: str) -> int:\n    return len(sku)\n",
    "app/totals.py": "from .prices import price as cost\n\ndef total(sku: str):\n    return cost(sku)\n",
    "app/report.py": "from app import totals\n\nprint(totals.total('a') + 1, missing)\n",
    "app/other.py": "import json\n\nprint(json, absent)\n",
    **{f"app/filler{n}.py": f"n = {n}\n" for n in range(reach.SMALL)},
}


def texts(root: Path, over: dict[str, bytes] | None = None) -> ProjectFiles:
    """The files of the project, with a change."""
    return ProjectFiles(root, over)


def test_whoever_imports_the_change_is_asked_about_and_what_they_rest_on_is_written(tmp_path: Path) -> None:
    """By whatever way: over another module, by another name, relatively."""
    write_files(tmp_path, FILES)
    found = find_reach(texts(tmp_path), ["app/prices.py"])
    assert found is not None
    assert found.asked == {"app/prices.py", "app/totals.py", "app/report.py"}
    assert found.needed == {*found.asked, "app/__init__.py"}
    leaf = find_reach(texts(tmp_path), ["app/report.py"])
    assert leaf is not None
    assert leaf.asked == {"app/report.py"}
    assert leaf.needed >= {"app/prices.py", "app/totals.py"}


def test_a_package_and_a_change_that_reaches_most_are_looked_at_with_everything(tmp_path: Path) -> None:
    """A package hands on what it imports under a name that nobody has to write."""
    write_files(tmp_path, {**FILES, "app/__init__.py": "from .prices import price\n"})
    assert find_reach(texts(tmp_path), ["app/prices.py"]) is None
    write_files(tmp_path, {path: f"import common\n{text}" for path, text in FILES.items()})
    write_files(tmp_path, {"common.py": "", "app/__init__.py": ""})
    assert find_reach(texts(tmp_path), ["common.py"]) is None
    small = {path: text for path, text in FILES.items() if "filler" not in path}
    write_files(tmp_path / "small", small)
    assert find_reach(texts(tmp_path / "small"), ["app/prices.py"]) is None


@pytest.mark.parametrize(("hint", "broken"), [("str", 2), ("int", 0)])
def test_the_narrow_look_finds_what_the_whole_one_finds(tmp_path: Path, hint: str, broken: int) -> None:
    """Also in a file that imports the changed one by way of another; faults of others are not asked about."""
    write_files(tmp_path, {**FILES, "pyproject.toml": ""})
    over = {"app/prices.py": FILES["app/prices.py"].replace("-> int", f"-> {hint}").encode()}
    typed = {"app/totals.py": FILES["app/totals.py"].replace("(sku: str)", "(sku: str) -> int").encode()}
    write_files(tmp_path, {path: text.decode() for path, text in typed.items()})
    with (
        ProjectAnalysis(tmp_path) as before,
        ProjectAnalysis(tmp_path, over=over) as after,
        Counted(tmp_path) as engine,
    ):
        new = find_new_findings(*contract_types.compare_types(before, after, engine))
        assert engine.looks[0] == ["app/prices.py", "app/report.py", "app/totals.py"]
        whole = (contract_types.check_types(state, engine) for state in (before, after))
        assert new == find_new_findings(*whole)
        assert len(new) == broken
