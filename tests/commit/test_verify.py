"""The user's own command: what counts as a yes, and what is kept of what it says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.commit import git
from graphbus_core.config import BuildConfig
from graphbus_core.errors import ConfigError, GraphBusError
from graphbus_core.sandbox import runner
from tests.commit.projects import CLEAN, FILES, about, engine, write

pytestmark = pytest.mark.skipif(runner.describe().kind == "limits", reason="no sandbox works here")

CHECK = (
    "import os\nfrom agents.cleaner import Cleaner\n\n\n"
    "def test_it():\n    assert Cleaner().clean(['a'])['items'] == ['a']\n"
)


@pytest.mark.parametrize(
    ("body", "passes", "says"),
    [
        ("return {'items': list(headlines)}", True, ""),
        ("return {'items': []}", False, "tests/test_it.py::test_it"),
        ("import os; os._exit(0)", False, "before its tests were over"),
        ("import os; os.write(1, b'1 passed in 0.01s'); os._exit(0)", False, "before its tests were over"),
    ],
    ids=["right", "wrong", "leaves", "leaves with a word"],
)
def test_pytest_must_come_to_its_end(body: str, passes: bool, says: str, tmp_path: Path) -> None:
    """An exit code of 0 alone is not proof."""
    later = {"tests/test_later.py": "def test_later():\n    pass\n", "pytest.ini": "[pytest]\naddopts = -x\n"}
    root = write(tmp_path / "p", {**FILES, "tests/test_it.py": CHECK, **later})
    with engine(root, verify="auto", verify_timeout_s=60) as commits:
        receipt = commits.apply("prepare", about("p-1", {"op": "replace_body", **CLEAN, "body": body}))
    assert (receipt["status"] == "prepared") is passes, receipt
    assert ("verify" in receipt["gates"]) is passes
    assert says in receipt["reason"]
    if passes:
        assert "1 failed, 2 passed" in receipt["verify"]["output"]  # the one that must fail


def test_tests_that_are_all_skipped_prove_nothing(tmp_path: Path) -> None:
    """It is said, and the gate is not among those that were passed."""
    skipped = CHECK.replace("\n\n\ndef", "\nimport pytest\n\n\n@pytest.mark.skip\ndef")
    root = write(tmp_path / "p", {**FILES, "tests/test_it.py": skipped})
    with engine(root, verify="auto", verify_timeout_s=60) as commits:
        receipt = commits.apply(
            "prepare", about("p-1", {"op": "replace_body", **CLEAN, "body": "return {'items': []}"})
        )
    assert receipt["status"] == "prepared", receipt
    assert "verify" not in receipt["gates"]
    assert "skipped" in next(end["why"] for end in receipt["ends"] if end["gate"] == "verify")


@pytest.mark.parametrize("command", ["", "  ", "a\0b"])
def test_a_command_that_runs_nothing_is_refused(command: str, tmp_path: Path) -> None:
    """Before anything is asked or run."""
    with pytest.raises(ConfigError, match="prove nothing"):
        BuildConfig("agents", verify=command)


def test_undo_refuses_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 2."""
    monkeypatch.chdir(tmp_path)
    assert main(["undo", "p-1", "--verify", ""]) == 2


def test_keys_in_the_output_are_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of any name may hold one; receipts are shown and logged."""
    monkeypatch.setenv("SHOP_API_KEY", "correct9-horse7-battery")
    keys = "sk-abc4efgh1jklmnopqrstuv correct9-horse7-battery"
    root = write(tmp_path / "p", {**FILES, "settings.ini": keys})
    source = "def m(self, _x=[].index(open('settings.ini').read())): pass\n"
    op = {"op": "add_method", "node": "Cleaner", "method": "m", "source": source}
    with engine(root) as commits:
        receipt = commits.apply("prepare", about("p-1", op))
    assert receipt["gate"] == "imports"
    assert "[key hidden]" in receipt["reason"]
    assert "sk-" not in receipt["reason"]
    assert "horse" not in receipt["reason"]


def test_a_machine_that_fails_ends_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No raw OSError comes out of an effect."""
    root = write(tmp_path / "p")

    def fails(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with engine(root) as commits:
        monkeypatch.setattr(commits, "_prove", fails)
        with pytest.raises(GraphBusError, match="run again"):
            commits.apply("commit", about("p-1", {"op": "replace_body", **CLEAN, "body": "return {'items': []}"}))


def test_git_commits_without_running_a_hook(tmp_path: Path) -> None:
    """None of them, and no file system monitor either."""
    root = tmp_path / "p"
    root.mkdir()

    def run(*args: str) -> None:
        subprocess.run(["git", "-C", str(root), *args], check=True, capture_output=True)

    run("init", "-q")
    run("config", "user.email", "a@example.org")
    run("config", "user.name", "a")
    (root / "a.py").write_text("x = 1\n")
    run("add", "-A")
    run("commit", "-qm", "first")
    names = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-index-change", "monitor"]
    (root / ".git" / "hooks").mkdir(exist_ok=True)
    for name in names:
        hook = root / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran-{name}'\n")
        hook.chmod(0o755)
    run("config", "core.fsmonitor", str(root / ".git" / "hooks" / "monitor"))
    (root / "a.py").write_text("x = 2\n")
    assert git.is_dirty(root)
    assert git.commit_files(root, ["a.py"], {"proposal_id": "p-1"})
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith("ran-")] == []


def test_a_try_tells_which_tests_that_speak_of_the_change_fail_with_it(tmp_path: Path) -> None:
    """It is not a refusal: a breaking change is there to be negotiated. Others' tests and old faults are not told."""
    tests = "from agents.cleaner import Cleaner\n\n\n"
    tests += "def test_clean():\n    assert Cleaner().clean(['a'])['items'] == ['a']\n\n\n"
    tests += "def test_broken_before():\n    assert not Cleaner().clean(['a'])['items']\n"
    other = "def test_other():\n    assert True\n"
    root = write(tmp_path, {**FILES, "tests/test_cleaner.py": tests, "tests/test_other.py": other})
    shout = {"op": "edit", **CLEAN, "old": "[h for", "new": "[h.upper() for"}
    with engine(root, verify="auto") as commits:
        found = commits.try_diff([shout])
        assert found["failing_tests"] == ["tests/test_cleaner.py::test_clean"]
    with engine(root) as commits:
        assert "failing_tests" not in commits.try_diff([shout])


def test_a_test_that_a_change_writes_must_pass_on_it(tmp_path: Path) -> None:
    """It proves nothing where it passes, and it would leave the project's tests red where it fails."""
    root = write(tmp_path, {**FILES, "tests/test_it.py": CHECK})
    wrong = {
        "op": "write_test",
        "node": "Cleaner",
        "path": "tests/test_new.py",
        "source": "def test_new():\n    assert 0\n",
    }
    with engine(root, verify="auto", verify_timeout_s=60) as commits:
        fell = commits.apply("prepare", about("p-1", wrong))
        stood = commits.apply("prepare", about("p-2", {**wrong, "source": "def test_new():\n    assert 1\n"}))
    assert fell["status"] == "failed"
    assert "tests/test_new.py::test_new" in fell["reason"]
    assert stood["status"] == "prepared", stood["reason"]
