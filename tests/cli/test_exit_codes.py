"""Exit codes as docs/exit-codes.md lists them; a wrong input is one paragraph, never a traceback."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from graphbus_core.cli.examples import example
from graphbus_core.cli.main import main


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the news pipeline, with hello built beside it."""
    shutil.copytree(example("news_pipeline") / "agents", tmp_path / "agents")
    shutil.copytree(example("hello") / "agents", tmp_path / "hello")
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "agent.py").write_text("class A(:\n    pass\n")
    (tmp_path / "schema.json").write_text('{"type": "integer"}')
    (tmp_path / "wider.json").write_text('{"type": "number"}')
    monkeypatch.chdir(tmp_path)
    assert main(["build", "hello"]) == 0
    return tmp_path


@pytest.mark.parametrize(
    ("code", "command"),
    [
        (0, "--help"),
        (0, "--version"),
        (0, "validate hello"),
        (0, "inspect hello"),
        (0, 'run .graphbus --call Greeter.greet --args {"name":"Ann"}'),
        (0, "contracts check schema.json wider.json"),
        (1, "contracts check wider.json schema.json"),
        (1, "validate agents"),
        (2, ""),
        (2, "no-such-command"),
        (2, "build no-such-folder"),
        (2, "build empty"),
        (2, "build broken"),
        (2, "build agents --no-such-option"),
        (2, "build agents --rounds 0 --enable-agents"),
        (2, "validate no-such-folder"),
        (2, "run no-such-folder --call A.b"),
        (2, "run .graphbus --call Greter.greet"),
        (2, "run .graphbus --call Greeter.gret"),
        (2, "run .graphbus --call Greeter.greet --args {not-json"),
        (2, "inspect-negotiation --filter nonsense"),
        (2, "undo p-0000"),
        (64, "negotiate no-such-verb"),
        (64, "negotiate poll"),
    ],
)
def test_exit_code(code: int, command: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The code is the documented one; a usage error says something, in one short paragraph."""
    assert main(command.split(" ") if command else []) == code
    said = capsys.readouterr()
    assert "Traceback" not in said.err + said.out
    if code == 2 and command:
        assert said.err.strip()
        assert len(said.err) < 1_200


def test_a_newer_build_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Artifacts of a newer format version are not guessed at."""
    manifest = project / ".graphbus" / "manifest.json"
    data = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**data, "version": 99}))
    assert main(["run", ".graphbus", "--call", "Greeter.greet"]) == 2
    assert "99" in capsys.readouterr().err


def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A package that only an extra brings is named, with the line to type."""
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "graphbus_core.http.server", raising=False)
    monkeypatch.delattr("graphbus_core.http.server", raising=False)  # where another test imported it before
    assert main(["serve", "."]) == 2
    assert "pip install 'graphbus-core[server]'" in capsys.readouterr().err


def test_a_folder_that_is_gone_is_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The machine's own words name no folder then."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(["validate", "."]) == 2
    assert "The folder that you are in is gone." in capsys.readouterr().err
