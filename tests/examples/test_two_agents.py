"""The worked examples of two agents run as they stand (issue 19, part 6)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from graphbus_core.cli.examples import example

pytestmark = pytest.mark.timeout(120)
PATIENCE_S = 60  # against a hang: a script takes some five seconds, and gives up by itself after 45 of silence


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """A script of the example, with `graphbus` on the PATH as an installation has it."""
    place = tmp_path / "bin"
    place.mkdir()
    command = place / "graphbus"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m graphbus_core.cli.main "$@"\n')
    command.chmod(0o755)

    def played(script: str, where: Path, folder: Path | None = None) -> tuple[int, str]:
        # A coding agent's session: both agents inherit its variable, and are two all the same.
        env = {**os.environ, "PATH": f"{place}:{os.environ['PATH']}", "CLAUDE_CODE_SESSION_ID": "one"}
        with subprocess.Popen(
            [shutil.which("bash") or "bash", str((folder or example("two_agents")) / script), str(where)],
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                said, _ = process.communicate(timeout=PATIENCE_S)
            finally:
                with suppress(ProcessLookupError):  # whoever is left of it holds the pipe, and would be waited for
                    os.killpg(process.pid, signal.SIGKILL)
        return process.returncode, said

    return played


def test_two_plans_become_one_document(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    """Both read and say; what they accepted stands in final.md in the place of what it overrules, with all the rest."""
    code, said = run("document.sh", tmp_path / "storage")
    assert code == 0, said
    final = (tmp_path / "storage" / "final.md").read_text()
    assert "Backups are kept for 30 days." in final
    assert "with a schema beside them." in final
    assert "port 8080" in final
    assert "90 days" not in final
    assert "- alpha:3: **decided by" in (tmp_path / "storage" / "fates.md").read_text()
    assert said.count("reads ==") == 6
    assert "## Position" not in said  # empty forms are not shown


def test_a_slow_agent_changes_nothing(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    """Whoever is late speaks in its order: the one that is seated first. It used to hang where alpha was late."""
    folder = copied(tmp_path, "agent alpha &", "{ sleep 3 && agent alpha; } &")
    code, said = run("document.sh", tmp_path / "storage", folder)
    assert code == 0, said
    assert said.index("alpha reads ==") < said.index("beta reads ==")


def test_an_agent_that_fails_leaves_nobody_waiting(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    """What beta says is refused; alpha gives up, and the script ends with an error."""
    folder = copied(tmp_path, "--for 15", "--for 3")
    (folder / "plans" / "beta-1.txt").write_text("@offer nothing\nThere is no such issue.\n")
    code, said = run("document.sh", tmp_path / "storage", folder)
    assert code == 1, said
    assert "There is no one issue 'nothing'" in said
    assert "alpha gives up" in said


def copied(tmp_path: Path, old: str, new: str) -> Path:
    """The example with one change of its script."""
    folder = tmp_path / "two_agents"
    shutil.copytree(example("two_agents"), folder)
    script = (folder / "document.sh").read_text()
    assert script.count(old) == 1
    (folder / "document.sh").write_text(script.replace(old, new))
    return folder


def test_two_components_settle_their_interface(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    """The engine shows the payload, one side gives in, and the contract file is there."""
    code, said = run("interface.sh", tmp_path / "shared")
    assert code == 0, said
    assert 'The payload {"id": 0} shows it.' in said
    assert json.loads((tmp_path / "shared" / "orders.contract.json").read_text())["version"] == 1
