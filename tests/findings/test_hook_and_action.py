"""The pre-commit hooks and the GitHub Action, run as those two would, in a clean clone of a small project."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FINE = "def load():\n    return {'quantity': 3}\n\n\ndef total():\n    return load()['quantity']\n"
BROKEN = FINE.replace("['quantity']", "['qty']")
ORDER = '{"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]}'


def _run(words: list[str], at: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        cwd=at,
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def _git(at: Path, *words: str) -> None:
    done = _run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], at)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clean clone of a small project, and `graphbus` on the path as an installation puts it there."""
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "graphbus").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m graphbus_core.cli.main "$@"\n')
    (commands / "graphbus").chmod(0o755)
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    origin = tmp_path / "origin"
    (origin / "schemas").mkdir(parents=True)
    (origin / "shop.py").write_text(FINE)
    (origin / "schemas" / "order.json").write_text(ORDER)
    _git(origin, "init", "-q", "-b", "main")
    _git(origin, "add", ".")
    _git(origin, "commit", "-qm", "one")
    _git(tmp_path, "clone", "-q", str(origin), "clone")
    return tmp_path / "clone"


def _hook(name: str, at: Path, *args: str) -> int:
    """What `pre-commit` does with a hook: its entry, its arguments, and the staged files where it asks for them."""
    hooks = {one["id"]: one for one in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    hook = hooks[name]
    staged = _run(["git", "diff", "--cached", "--name-only"], at).stdout.split() if hook["pass_filenames"] else []
    done = _run([*shlex.split(hook["entry"]), *(args or hook.get("args", [])), *staged], at)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode


def test_the_hook_of_infer_stops_a_commit_that_breaks_somebody(clone: Path) -> None:
    """And no other."""
    assert _hook("graphbus-infer", clone) == 0
    (clone / "shop.py").write_text(BROKEN)
    _git(clone, "add", ".")
    assert _hook("graphbus-infer", clone) == 1


def test_the_hook_of_contracts_stops_a_schema_that_breaks(clone: Path) -> None:
    """With the arguments that the documents give it."""
    args = ("schemas", "--against", "git:HEAD", "--mode", "FULL")
    assert _hook("graphbus-contracts", clone, *args) == 0
    (clone / "schemas" / "order.json").write_text(ORDER.replace("string", "integer"))
    _git(clone, "add", ".")
    assert _hook("graphbus-contracts", clone, *args) == 1


def _action(at: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """What a runner does with the steps of a composite action, but for the first: that installs, from the internet."""
    action: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    assert set(given) <= set(action["inputs"])
    values = {name: given.get(name, one["default"]) for name, one in action["inputs"].items()}
    install, look = action["runs"]["steps"]
    assert install["run"].endswith('pip install --quiet "$GITHUB_ACTION_PATH"')
    variables = look["env"]
    for name, value in values.items():
        variables = {key: text.replace(f"${{{{ inputs.{name} }}}}", value) for key, text in variables.items()}
    assert "${{" not in look["run"] + "".join(variables.values())
    return _run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", look["run"]], at, **variables)


@pytest.mark.parametrize("against", ["", "git:origin/main"])
def test_the_action_annotates_and_writes_sarif(clone: Path, against: str) -> None:
    """0 and an empty run, then 1 with the finding at its line in both."""
    assert _action(clone, against=against, sarif="out.sarif").returncode == 0
    assert json.loads((clone / "out.sarif").read_text("utf-8"))["runs"][0]["results"] == []
    (clone / "shop.py").write_text(BROKEN)
    done = _action(clone, against=against, sarif="out.sarif")
    assert done.returncode == 1, done.stderr
    assert "::error file=shop.py,line=6,title=GraphBus GB501" in done.stdout
    (run,) = json.loads((clone / "out.sarif").read_text("utf-8"))["runs"]
    assert [one["ruleId"] for one in run["results"]] == ["GB501"]


def test_the_action_says_where_it_was_asked_wrongly(clone: Path) -> None:
    """A folder or revision that is not there is no finding, and a revision is never run as a command."""
    assert _action(clone, path="nowhere", sarif="out.sarif").returncode == 2
    assert _action(clone, against="git:$(touch made)").returncode == 2
    assert not (clone / "made").exists()
    assert not (clone / "out.sarif").exists() or not (clone / "out.sarif").read_text("utf-8")
