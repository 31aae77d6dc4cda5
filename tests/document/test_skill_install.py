"""Skills and the MCP server where each coding agent looks, installed in one line and taken back (issue 19, part 6)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.cli.skill import PLACES, find_skill_folder, list_skills

CLIENTS = ("claude", "codex", "cursor", "gemini")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, and a home of its own."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def tree(root: Path) -> dict[str, bytes]:
    """Every file below it."""
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def test_each_client_gets_every_skill_and_the_server_and_again_changes_nothing(project: Path) -> None:
    """Where it looks; and all of it is taken back."""
    assert main(["skill", "install", "--all"]) == 0
    for client in CLIENTS:
        place = project / PLACES[client][0]
        assert sorted(p.name for p in place.iterdir()) == ["agree", "build", "consent", "negotiate", "team"]
    assert json.loads((project / ".mcp.json").read_text())["mcpServers"]["graphbus"]["args"] == ["mcp"]
    assert "[mcp_servers.graphbus]" in (project / ".codex" / "config.toml").read_text()
    before = tree(project)
    assert main(["skill", "install", "--all"]) == 0
    assert tree(project) == before
    assert main(["skill", "uninstall", "--all"]) == 0
    assert tree(project) == {}


def test_no_client_finds_a_skill_in_two_places_of_its_own(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Gemini reads `.agents/skills`, too, and warns of a conflict at each start; so it shares that place with Codex."""
    assert main(["skill", "install", "--codex", "--gemini"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert len(out) == len(set(out)) == 7
    assert not (project / ".gemini" / "skills").exists()
    assert main(["skill", "uninstall", "--codex"]) == 0
    assert "kept for gemini" in capsys.readouterr().out
    assert (project / ".agents" / "skills" / "agree" / "SKILL.md").exists()
    assert not (project / ".codex" / "config.toml").exists()
    assert main(["skill", "uninstall", "--gemini"]) == 0
    assert tree(project) == {}


def test_what_somebody_else_wrote_stays(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Other servers, comments, changed skills; a broken configuration is named and left alone."""
    (project / ".mcp.json").write_text('{"mcpServers": {"other": {"command": "x"}}, "more": 1}')
    (project / ".codex").mkdir()
    (project / ".codex" / "config.toml").write_text('# mine\nmodel = "m"\n')
    assert main(["skill", "install", "--claude", "--codex"]) == 0
    assert set(json.loads((project / ".mcp.json").read_text())["mcpServers"]) == {"other", "graphbus"}
    skill = project / ".claude" / "skills" / "consent" / "SKILL.md"
    skill.write_text(skill.read_text() + "\nMine.\n")
    assert main(["skill", "install", "--claude"]) == 2
    assert "SKILL.md" in capsys.readouterr().err
    assert skill.read_text().endswith("Mine.\n")
    assert main(["skill", "install", "--claude", "--force"]) == 0
    assert main(["skill", "uninstall", "--claude", "--codex"]) == 0
    assert json.loads((project / ".mcp.json").read_text()) == {"mcpServers": {"other": {"command": "x"}}, "more": 1}
    assert (project / ".codex" / "config.toml").read_text() == '# mine\nmodel = "m"\n'
    (project / ".mcp.json").write_text("{broken")
    assert main(["skill", "install", "--claude"]) == 2
    assert (project / ".mcp.json").read_text() == "{broken"


def test_it_is_shown_first_and_for_a_user_it_goes_home(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--dry-run` writes nothing."""
    assert main(["skill", "install", "--gemini", "--dry-run"]) == 0
    assert ".gemini/settings.json: mcpServers.graphbus" in capsys.readouterr().out
    assert tree(project) == {}
    assert main(["skill", "install", "--cursor", "--user"]) == 0
    assert (project.parent / "home" / ".cursor" / "skills" / "agree" / "SKILL.md").exists()
    assert tree(project) == {}


def test_every_skill_is_short_and_names_commands_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    """5 kB at most; name and folder agree; ruling is left to people."""
    for name, place in list_skills(find_skill_folder()).items():
        text = (place / "SKILL.md").read_text()
        assert len(text.encode()) <= 5_000, name
        assert f"\nname: {name}\n" in text
        for command in set(re.findall(r"graphbus ([a-z]+)", text)):
            assert main([command, "--help"]) == 0, (name, command)
        capsys.readouterr()
        assert main(["skill", "show", name]) == 0
        assert capsys.readouterr().out.strip() == text.strip()
    assert "Ruling is for people" in (find_skill_folder() / "SKILL.md").read_text()
    assert main(["skill", "show", "nothing"]) == 2


@pytest.mark.parametrize("missing", ["sdk", "path", ""])
def test_a_server_that_could_not_start_is_named(
    missing: str, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A coding agent would only say that it failed. `pip install .` has no SDK of MCP."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if missing == "sdk" else object())
    monkeypatch.setattr("shutil.which", lambda name: None if missing == "path" else "/bin/graphbus")
    assert main(["skill", "install", "--claude"]) == 0
    said = capsys.readouterr().err
    assert ("graphbus-core[mcp]" in said, "not on the PATH" in said) == (missing == "sdk", missing == "path")
    assert ("The skills work without" in said) == bool(missing)
