"""Who sits down, and what a refusal leaves behind: nothing (issue 9, "start")."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.main import main
from graphbus_core.cli.negotiate import operations
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.sessions.document.directory import NegotiationDirectory
from tests import forking

ALPHA, BETA, GAMMA = "agent-alpha", "agent-beta", "agent-gamma"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A path with a space and letters of other scripts; nobody claims an identity."""
    for variable in operations.SESSION_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    return tmp_path / "ein Plan 計画"


def plan(tmp_path: Path, name: str, text: str = "") -> Path:
    """A document of this name."""
    path = tmp_path / name
    path.write_text(text or f"The plan of {name}.\n")
    return path


def start(root: Path, *args: str) -> int:
    """`start`, without waiting."""
    return main(["negotiate", "start", str(root), *args, "--no-wait"])


def files(root: Path) -> dict[str, str]:
    """Everything that people see."""
    return {
        str(path.relative_to(root)): path.read_text()
        for path in sorted(root.rglob("*.md"))
        if ".graphbus" not in path.parts
    }


def seats(root: Path) -> dict[str, str]:
    """Who sits there, as whom."""
    return NegotiationDirectory(root).read_state().participants


def test_a_refused_start_changes_nothing(root: Path, tmp_path: Path) -> None:
    """No topic, no source: also where there is no topic yet."""
    where = NegotiationDirectory(root)
    where.init(Settings(2))
    assert (where.register(ALPHA).ok, where.register(BETA).ok) == (True, True)
    before = files(root)
    source = plan(tmp_path, "mine.md")
    assert start(root, "HIJACKED", "--source", str(source)) == 1
    assert start(root, "HIJACKED", "--source", str(source), "--name", ALPHA) == 1
    assert files(root) == before


def test_a_start_that_cannot_be_recorded_takes_its_files_back(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full when the seat is recorded."""
    where = NegotiationDirectory(root)
    where.init(Settings(2))
    before = files(root)

    def full(*args: Any) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fdatasync", full)
        assert start(root, "T", "--source", str(plan(tmp_path, "mine.md"))) == 1
    assert (files(root), seats(root)) == (before, {})


def test_a_bad_name_opens_nothing(root: Path) -> None:
    """It is refused before there is anything that waits for others."""
    assert start(root, "T", "--name", "Bad_Name") == 1
    assert not root.exists()


def test_a_start_again_says_so_and_takes_no_other_name(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One identity is one seat; the seat's own second start brings its plan, once."""
    monkeypatch.setenv("NEGOTIATE_PARTICIPANT_ID", "s")
    source = plan(tmp_path, "mine.md")
    assert start(root, "T", "--source", str(source)) == 0
    capsys.readouterr()
    assert start(root, "T", "--name", BETA, "--source", str(plan(tmp_path, "other.md")), "--json") == 1
    refused = json.loads(capsys.readouterr().out)
    assert [r["code"] for r in refused["reasons"]] == ["seated"]
    assert ALPHA in refused["reasons"][0]["what"]
    assert start(root, "U", "--source", str(source), "--agents", "7") == 0
    said = capsys.readouterr()
    assert f"You sit here already, as {ALPHA} (manual:s)" in said.err
    assert "--participant" in said.err
    assert "--agents 7 has no effect" in said.err
    assert "topic.md" in said.err
    assert "You go on with it" in said.out
    assert [name for name in files(root) if name.startswith("sources/")] == ["sources/mine.md"]
    assert seats(root) == {ALPHA: "manual:s"}


@pytest.mark.parametrize("name", ["", ALPHA])
def test_two_starts_of_one_identity_at_the_same_instant_are_one_seat(
    name: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second finds the seat that the first took after it had looked."""
    monkeypatch.setenv("NEGOTIATE_PARTICIPANT_ID", "s")
    real = NegotiationDirectory.register

    def late(self: NegotiationDirectory, *args: Any, **kwargs: Any) -> Any:
        monkeypatch.setattr(NegotiationDirectory, "register", real)
        assert real(NegotiationDirectory(root), ALPHA, "manual:s").ok
        return real(self, *args, **kwargs)

    monkeypatch.setattr(NegotiationDirectory, "register", late)
    assert start(root, "T", *(["--name", name] if name else [])) == 0
    assert seats(root) == {ALPHA: "manual:s"}


def test_agents_of_one_session_sit_apart_by_identities_of_their_own(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They share the session's variable; what a command is given goes before it."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "one")
    assert start(root, "T") == 0
    assert start(root, "T", "--participant", "two") == 0
    assert seats(root) == {ALPHA: "claude:one", BETA: "manual:two"}
    assert main(["negotiate", "register", str(root), GAMMA, "--participant", "codex:three"]) == 2
    monkeypatch.setenv("NEGOTIATE_PARTICIPANT_ID", "two")
    assert operations.resolve_identity() == "claude:one"


def test_who_joins_hears_what_does_not_hold(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The settings are those of whoever opened it."""
    NegotiationDirectory(root).init(Settings(2))
    assert start(root, "--agents", "3", "--rigorous", "--window", "120") == 0
    said = capsys.readouterr().err
    assert "--agents 3 has no effect: the negotiation was opened before, and there it is 2." in said
    assert "--rigorous has no effect" in said
    assert "--window" not in said


def test_an_interrupted_start_leaves_no_seat_that_nobody_knows_of(root: Path) -> None:
    """The name and how to go on are said before the waiting begins, and again at the end."""
    env = {k: v for k, v in os.environ.items() if k not in operations.SESSION_VARIABLES}
    process = forking.Popen(
        [sys.executable, "-m", "graphbus_core.cli.main", "negotiate", "start", str(root), "T"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    )
    assert process.stderr is not None
    watchdog = threading.Timer(60, process.kill)  # ends the readline below, too
    watchdog.start()
    try:
        first = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, rest = process.communicate(timeout=60)
    finally:
        watchdog.cancel()
        process.kill()
    go_on = f"graphbus negotiate start '{root}' --name {ALPHA} --resume"
    assert (process.returncode, out) == (130, "")
    assert go_on in first
    assert go_on in rest
    assert start(root, "--name", ALPHA, "--resume") == 0
    assert list(seats(root)) == [ALPHA]


def test_a_session_that_was_restarted_finds_its_seat_as_it_was_told(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its identity is another one now; the command that `start` printed says the one before."""
    monkeypatch.setenv("GEMINI_SESSION_ID", "one")
    assert start(root, "T") == 0
    again = f"--name {ALPHA} --resume --participant gemini:one"
    assert again in capsys.readouterr().err
    monkeypatch.setenv("GEMINI_SESSION_ID", "two")
    assert start(root, "--name", ALPHA, "--resume") == 1
    assert f"{ALPHA} sits here as gemini:one, and you are gemini:two." in capsys.readouterr().err
    assert start(root, *again.split()) == 0
    assert seats(root) == {ALPHA: "gemini:one"}


def test_resume_without_a_name_is_no_new_seat(root: Path) -> None:
    """Nobody can tell who is meant."""
    assert start(root, "T") == 0
    assert start(root, "T", "--resume") == 64
    assert list(seats(root)) == [ALPHA]


def test_an_init_without_room_leaves_no_negotiation(root: Path) -> None:
    """The settings of the next one hold, whoever looked in between."""
    (root / ".graphbus").mkdir(parents=True)
    (root / ".graphbus" / "log.jsonl").touch()
    assert main(["negotiate", "status", str(root)]) == 70
    assert main(["negotiate", "init", str(root), "3"]) == 0
    assert "**expected_agents:** 3" in (root / "meta.md").read_text()


def test_what_is_over_is_not_joined(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command that would join says that it is over and that another DIR is to be named."""
    now = 1000.0
    where = NegotiationDirectory(root, monotonic=lambda: now)
    where.init(Settings(2, registration_window_s=10))
    where.register(ALPHA)
    now += 11
    assert where.poll().data["turn"] == "done"
    for command, code in (("init", 1), ("start", 1), ("register", 2)):
        args = [BETA] if command == "register" else []
        assert main(["negotiate", command, str(root), *args]) == code
        said = capsys.readouterr().err
        assert "is over: too few agents registered: 1." in said, command
        assert "another DIR" in said, command


def test_recover_makes_nothing_where_nothing_is(root: Path) -> None:
    """A mistyped DIR stays away."""
    assert main(["negotiate", "recover", str(root)]) == 1
    assert not root.exists()


def test_a_source_has_a_name_that_is_read(root: Path, tmp_path: Path) -> None:
    """Hidden names are not listed, so none is made; one that is none is said to be."""
    assert start(root, "T", "--source", str(plan(tmp_path, ".hid.md"))) == 0
    assert start(root, "T", "--source", str(plan(tmp_path, ".md"))) == 0
    assert set(NegotiationDirectory(root).read_state().sources) == {"hid", "md"}
    assert start(root, "T", "--source", str(tmp_path / "nowhere.md")) == 64


@pytest.mark.parametrize("rigorous", [False, True])
def test_an_analysis_is_asked_of_those_who_owe_one(rigorous: bool, root: Path) -> None:
    """While models draft the issues, who joins waits; `analysis-done` takes nothing that would be thrown away."""
    where = NegotiationDirectory(root)
    where.init(Settings(2, rigorous=rigorous, drafting=not rigorous))
    where.register(ALPHA, "model:0", "model")
    assert where.mark_analysis_done(BETA).code == "unknown"
    where.register(BETA)
    assert [where.mark_analysis_done(n).code for n in (BETA, GAMMA)] == ["empty" if rigorous else "none", "unknown"]
    assert not (root / "analysis" / f".{BETA}-done").exists()
    (root / "analysis").mkdir(exist_ok=True)
    (root / "analysis" / f"{BETA}.md").write_text("They differ.\n")
    assert where.mark_analysis_done(BETA).code == ("" if rigorous else "none")
    assert where.mark_analysis_done(BETA).code == ("" if rigorous else "none")


def test_who_joins_beside_models_is_told_to_wait(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No analysis is wanted of it."""
    where = NegotiationDirectory(root)
    where.init(Settings(2, drafting=True))
    where.register(ALPHA, "model:0", "model")
    assert main(["negotiate", "start", str(root), "T"]) == 0
    assert "analysis" not in capsys.readouterr().out
    assert main(["negotiate", "wait-for-start", str(root), BETA]) == 0
    assert "analysis" not in capsys.readouterr().out
