"""The worked examples of two agents run as they stand (issue 19, part 6)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from graphbus_core.cli.examples import example

pytestmark = pytest.mark.timeout(400)  # many processes: a slow machine takes its time
PATIENCE_S = 240  # against a hang


@pytest.fixture
def run(tmp_path: Path) -> object:
    """A script of the example, with `graphbus` on the PATH as an installation has it."""
    place = tmp_path / "bin"
    place.mkdir()
    command = place / "graphbus"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m graphbus_core.cli.main "$@"\n')
    command.chmod(0o755)

    def played(script: str, where: Path) -> str:
        kept = {k: v for k, v in os.environ.items() if not k.endswith(("SESSION_ID", "THREAD_ID"))}
        done = subprocess.run(
            [shutil.which("bash") or "bash", str(example("two_agents") / script), str(where)],
            env={**kept, "PATH": f"{place}:{kept['PATH']}"},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return played


def test_two_plans_become_one_document(run: object, tmp_path: Path) -> None:
    """Both read and say; what they accepted stands in final.md, and what nobody contested."""
    said = run("document.sh", tmp_path / "storage")  # type: ignore[operator]
    final = (tmp_path / "storage" / "final.md").read_text()
    assert "Backups are kept for 30 days." in final
    assert "with a schema beside them." in final
    assert "port 8080" in final
    assert "90 days" not in final
    assert said.count("reads ==") == 4
    assert "## Position" not in said  # empty forms are not shown


def test_two_components_settle_their_interface(run: object, tmp_path: Path) -> None:
    """The engine shows the payload, one side gives in, and the contract file is there."""
    said = run("interface.sh", tmp_path / "shared")  # type: ignore[operator]
    assert 'The payload {"id": 0} shows it.' in said
    assert json.loads((tmp_path / "shared" / "orders.contract.json").read_text())["version"] == 1
