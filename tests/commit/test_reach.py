"""A change reaches the whole project: followed into callers beside the agents' folder, or refused with their lines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commit.projects import CLEAN, FILES, about, engine, write

RENAME = {"op": "rename_field", **CLEAN, "side": "output", "field": "items", "to": "kept"}
IMPORT = "from agents.cleaner import Cleaner\n"
FOLLOW = {
    "op": "rename_field",
    "node": "Formatter",
    "method": "render",
    "side": "input",
    "field": "items",
    "to": "kept",
}
PATCH = "from fakes import *\n\ndef pytest_configure():\n    MonkeyPatch().setattr({})\n"
CELL = {"cell_type": "code", "source": [IMPORT, "Cleaner().clean([])['items']"]}
MAIN = IMPORT + 'from agents.formatter import Formatter\n\nr = Cleaner().clean(["a"])\nprint(Formatter().render(**r))\n'
TEST = IMPORT + '\n\ndef test_it():\n    assert Cleaner().clean(["a"])["items"] == ["a"]\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "project", {"pyproject.toml": "", **FILES})


def committed(root: Path, *diff: dict[str, Any]) -> dict[str, Any]:
    with engine(root) as commits:
        return dict(commits.apply("commit", about("p-1", *diff)))


def test_a_rename_is_followed_into_main_and_tests_and_everything_runs(root: Path) -> None:
    """Files beside the agents' folder change with it; the program and its tests do what they did."""
    write(root, {"main.py": MAIN.replace("**r", 'items=r["items"]'), "tests/test_it.py": TEST})
    receipt = committed(root, RENAME, FOLLOW)
    assert receipt["status"] == "committed", receipt["reason"]
    assert sorted(receipt["files"]) == [
        "agents/cleaner.py", "agents/formatter.py", "main.py", "tests/test_it.py"
    ]  # fmt: skip
    assert 'render(kept=r["kept"])' in (root / "main.py").read_text()
    assert '["kept"] == ["a"]' in (root / "tests" / "test_it.py").read_text()
    for command in (["main.py"], ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]):
        done = subprocess.run([sys.executable, *command], cwd=root, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    with engine(root) as commits:
        assert commits.undo("p-1")["status"] == "committed"
    assert (root / "tests" / "test_it.py").read_text() == TEST


@pytest.mark.parametrize(
    "text",
    [
        IMPORT + "<<<<<<< HEAD\nprint(Cleaner().clean([])['items'])\n=======\n>>>>>>> other\n",
        IMPORT + "\nprint Cleaner().clean([])['items']\n",
    ],
    ids=["half merged", "Python 2"],
)
def test_a_file_that_does_not_parse_refuses_with_its_line(root: Path, text: str) -> None:
    """Nobody can tell what it uses, and it may be run tomorrow."""
    write(root, {"main.py": text})
    receipt = committed(root, RENAME, FOLLOW)
    assert (receipt["status"], receipt["gate"]) == ("failed", "applies"), receipt
    assert "do not parse" in receipt["reason"]
    assert "main.py:3" in receipt["reason"]
    write(root, {"main.py": text.replace("items", "other")})
    assert committed(root, RENAME, FOLLOW)["status"] == "committed"


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("tests/conftest.py", IMPORT + "ITEMS = Cleaner().clean([])['items']\n", 2),
        ("notes.ipynb", json.dumps({"cells": [CELL]}), 2),
        ("agents/cleaner.pyi", "class Cleaner:\n    def clean(self, headlines) -> dict: ...  # items\n", 2),
        ("agents/conftest.py", IMPORT + "ITEMS = Cleaner().clean([])['items']\n", 2),
        ("agents/conftest.py", PATCH.format("'agents.cleaner.Cleaner.clean', fake"), 4),
        ("tests/conftest.py", PATCH.format("'agents.cleaner.Cleaner', Fake"), 4),
        ("tests/conftest.py", PATCH.format("agents.cleaner.Cleaner, 'clean', fake"), 4),
    ],
)  # fmt: skip
def test_what_is_only_read_refuses_with_its_line(root: Path, path: str, text: str, line: int) -> None:
    """A conftest, a notebook, a stub: never written, and never left behind."""
    write(root, {path: text})
    receipt = committed(root, RENAME, FOLLOW)
    assert (receipt["status"], receipt["gate"]) == ("failed", "applies"), receipt
    assert f"{path}:{line}" in receipt["reason"]
    assert (root / path).read_text() == text


def test_a_file_that_only_speaks_of_the_same_word_hinders_nothing(root: Path) -> None:
    """Another object's method of that name, and a conftest without the method."""
    write(root, {"tests/conftest.py": 'ITEMS = {"items": 1}\n', "other.py": 'd = {"items": 2}\nprint(d["items"])\n'})
    assert committed(root, RENAME, FOLLOW)["status"] == "committed"
    assert (root / "other.py").read_text() == 'd = {"items": 2}\nprint(d["items"])\n'


def test_what_lies_outside_of_the_scans_root_refuses(tmp_path: Path) -> None:
    """The agents' package under `src/`, a script above it: the project is the repository."""
    root = write(tmp_path / "project" / "src", {**FILES, "agents/__init__.py": ""})
    write(tmp_path / "project", {"pyproject.toml": "", "run.py": IMPORT + "print(Cleaner().clean([])['items'])\n"})
    receipt = committed(root, RENAME, FOLLOW)
    assert (receipt["status"], receipt["gate"]) == ("failed", "applies"), receipt
    assert "run.py:2" in receipt["reason"]


def test_what_git_does_not_track_is_not_written(root: Path) -> None:
    """A scratch file of the user's own: a use there refuses; one that is tracked is followed."""
    write(root, {"main.py": MAIN.replace("**r", 'items=r["items"]')})
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "agents"], cwd=root, check=True)
    receipt = committed(root, RENAME, FOLLOW)
    assert (receipt["status"], "main.py:5" in receipt["reason"]) == ("failed", True), receipt
    subprocess.run(["git", "add", "main.py"], cwd=root, check=True)
    assert committed(root, RENAME, FOLLOW)["status"] == "committed"


def test_followed_files_have_a_bound_of_their_own(root: Path) -> None:
    """More than the five of a commit may follow; fifty-one may not."""
    use = IMPORT + 'print(Cleaner().clean(["a"])["items"])\n'
    write(root, {f"scripts/s{n:02}.py": use for n in range(51)})
    receipt = committed(root, RENAME, FOLLOW)
    assert (receipt["gate"], "51 files" in receipt["reason"]) == ("limits", True), receipt
    (root / "scripts" / "s50.py").unlink()
    receipt = committed(root, RENAME, FOLLOW)
    assert receipt["status"] == "committed", receipt["reason"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('given = {}\ngiven.update(items=["a"])\nprint(Formatter().render(**given))\n', None),
        ('verb = "ren" + "der"\nprint(getattr(Formatter(), verb)(items=["a"]))\n', "main.py:3"),
        ('import inspect\nprint("items" in inspect.signature(Formatter().render).parameters)\n', "main.py:3"),
        (
            'for name, given in [("render", {"items": []})]:\n    print(getattr(Formatter(), name)(**given))\n',
            "main.py:3",
        ),
    ],
)
def test_unusual_callers_are_followed_or_named(root: Path, text: str, says: str | None) -> None:
    """`.update(m=…)` is followed; a computed name, a signature that is looked at, a table of calls are refused."""
    write(root, {"main.py": "from agents.formatter import Formatter\n" + text})
    receipt = committed(root, FOLLOW, RENAME)
    if says is None:
        assert receipt["status"] == "committed", receipt["reason"]
        done = subprocess.run([sys.executable, "main.py"], cwd=root, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    else:
        assert receipt["status"] == "failed"
        assert says in receipt["reason"], receipt["reason"]


def test_a_file_that_git_does_not_track_is_named_as_such(root: Path) -> None:
    """A newcomer's `main.py` is often not added yet: nothing else keeps a change from reaching it."""
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    subprocess.run(["git", "add", "agents", "pyproject.toml"], cwd=root, check=True)
    main = IMPORT + 'print(Cleaner().clean(["a"])["items"])\n'
    (root / "main.py").write_text(main)
    receipt = committed(root, RENAME, FOLLOW)
    assert receipt["status"] == "failed"
    assert "Git does not track main.py: `git add`" in receipt["reason"]
    assert (root / "main.py").read_text() == main


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        ("main.py", IMPORT + 'print(Cleaner().clean([])["kept"])\n', "is used in main.py by now"),
        ("conftest.py", IMPORT + 'Cleaner().clean([])["kept"]\n', "conftest.py:2"),
        ("../outside/run.py", IMPORT + 'Cleaner().clean([])["kept"]\n', "outside/run.py:2"),
    ],
)
def test_taking_back_a_rename_sees_who_came_to_use_the_new_name(
    tmp_path: Path, path: str, text: str, says: str
) -> None:
    """In a file that the commit did not change, one that is only read, one outside of the scan's root."""
    write(tmp_path / "whole", {"pyproject.toml": ""})
    root = write(tmp_path / "whole" / "inner", FILES)
    assert committed(root, RENAME, FOLLOW)["status"] == "committed"
    write(root, {path: text})
    before = {p: p.read_bytes() for p in (root / "agents").glob("*.py")}
    with engine(root) as commits:
        receipt = commits.undo("p-1")
        assert (receipt["status"], receipt["gate"]) == ("failed", "applies"), receipt
        assert says in str(receipt["reason"])
        assert {p: p.read_bytes() for p in before} == before
        (root / path).unlink()
        assert commits.undo("p-1")["status"] == "committed"


METHOD = {"op": "rename_method", **CLEAN, "to": "tidy"}
ENTRY = '[project.entry-points.steps]\nclean = "agents.cleaner:Cleaner.clean"\n'
INLINE = "#!/bin/sh\npython3 -c \"from agents.cleaner import Cleaner; print(Cleaner().clean([])['items'])\"\n"
HEREDOC = "python3 - <<'E'\nfrom agents.cleaner import Cleaner\nc = Cleaner()\nprint(c.clean([])['items'])\nE\n"
CALL = "run:\n\tgraphbus run .graphbus --call Cleaner.clean --args '{\"headlines\": []}' | jq .items\n"


@pytest.mark.parametrize(
    ("path", "text", "line", "diff"),
    [
        ("setup.cfg", ENTRY, 2, [METHOD]),
        ("deploy/steps.yaml", "step:\n  call: agents.cleaner.Cleaner.clean\n", 2, [METHOD]),
        ("go.sh", INLINE, 2, [METHOD]),
        ("go.sh", INLINE, 2, [RENAME, FOLLOW]),
        ("bin/go.bash", HEREDOC, 4, [RENAME, FOLLOW]),
        ("Makefile", CALL, 2, [RENAME, FOLLOW]),
    ],
    ids=["entry point", "settings", "shell", "a field in a shell", "several lines", "a command of ours"],
)
def test_settings_and_scripts_that_use_it_refuse_with_their_line(
    root: Path, path: str, text: str, line: int, diff: list[dict[str, str]]
) -> None:
    """No import leads from the code to them, and nothing but a run would show that they broke."""
    write(root, {path: text})
    receipt = committed(root, *diff)
    assert (receipt["status"], receipt["gate"]) == ("failed", "applies"), receipt
    assert f"{path}:{line}" in receipt["reason"]
    assert (root / path).read_text() == text


def test_settings_and_scripts_that_only_say_the_words_hinder_nothing(root: Path) -> None:
    """A report about the link, a target named `clean`, another class's method, a page of documentation."""
    write(root, {"graphbus-baseline.json": '{"subject": "Fetcher.fetch => Cleaner.clean"}', "README.md": ENTRY})
    write(root, {"Makefile": "clean:\n\trm -r items\n", "go.sh": "python3 -c 'Mop().clean(items=1)'\n"})
    write(root, {"package.json": '{"scripts": {"Cleaner": "clean items"}}', "other.yaml": "call: mops.Mop.clean\n"})
    assert committed(root, METHOD)["status"] == "committed"
