"""A negotiation in a git repository: two clones are two machines, and a bare repository lies between them (part 7)."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.errors import UsageError
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.sessions.document import locked_folder, turn_api
from graphbus_core.sessions.document.directory import NegotiationDirectory
from graphbus_core.sessions.document.git_sync import PushRejected

pytestmark = pytest.mark.timeout(400)  # many processes: a slow machine takes its time
ALPHA, BETA = "agent-alpha", "agent-beta"


def git(where: Path, *words: str) -> str:
    """Git, as a user whose name is known."""
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    return subprocess.run(
        ["git", *who, *words], cwd=where, check=True, capture_output=True, text=True, timeout=60
    ).stdout


@pytest.fixture
def machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Two clones of one bare repository, each with other work in it."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setattr(locked_folder, "FETCH_S", 0.0)  # whoever only looks fetches now and then; here always
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "shared.git")
    git(tmp_path, "clone", "-q", "shared.git", "one")
    one, two = tmp_path / "one", tmp_path / "two"
    git(one, "checkout", "-q", "-b", "main")
    (one / "code.py").write_text("x = 1\n")
    git(one, "add", ".")
    git(one, "commit", "-qm", "begin")
    git(one, "push", "-q", "-u", "origin", "main")
    git(tmp_path, "clone", "-q", "shared.git", "two")
    return one, two


def opened(machines: tuple[Path, Path]) -> tuple[NegotiationDirectory, NegotiationDirectory]:
    """Opened on one machine, joined on the other; alpha's turn."""
    one, two = (NegotiationDirectory(m / "plans" / "d") for m in machines)
    assert one.init(Settings(2), through_git=True).data["initializer"]
    assert one.add_issue("backups").ok
    assert one.register(ALPHA).ok
    assert not two.init(Settings(2), through_git=True).data["initializer"]
    assert two.register(BETA).ok
    return one, two


def test_two_machines_come_to_one_document(machines: tuple[Path, Path]) -> None:
    """By two calls a turn; nobody's other work is committed, and what is one machine's alone stays there."""
    one, two = opened(machines)
    (machines[0] / "code.py").write_text("x = 2\n")
    (machines[0] / "note.txt").write_text("not yet\n")
    git(machines[0], "add", "note.txt")
    assert one.poll(ALPHA).data["turn"] == "yours"
    assert turn_api.take_turn(one, ALPHA, "@offer 1\nKeep backups 30 days.").ok
    assert turn_api.wait_for_turn(two, BETA, lambda data: data["turn"] == "yours", 30).data["turn"] == "yours"
    assert "30 days" in turn_api.deliver_brief(two, BETA)
    assert turn_api.take_turn(two, BETA, "@accept 1").ok
    assert turn_api.take_turn(one, ALPHA, "@accept final.md").data["end"] == "handed"
    assert turn_api.take_turn(two, BETA, "@accept final.md").data["end"] == "finished"
    assert one.poll(ALPHA).data["turn"] == "done"
    assert "Keep backups 30 days." in (one.root / "final.md").read_text()
    assert git(machines[0], "status", "--porcelain").split("\n")[:2] == [" M code.py", "A  note.txt"]
    there = git(machines[0], "ls-tree", "-r", "--name-only", "origin/main").split()
    assert "note.txt" not in there
    assert {"plans/d/final.md", "plans/d/.gitignore", "plans/d/.graphbus/log.jsonl"} <= {*there}
    assert not [name for name in there if "lock" in name or "seen-" in name or "beat" in name or "spoken" in name]
    assert one.find_problems() == two.find_problems() == ()


def test_a_lost_race_is_a_refused_turn_that_loses_nothing(
    machines: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two clients at one seat, on two machines: both pulled before either pushed."""
    from graphbus_core.sessions.document.git_sync import Clone

    one, _ = opened(machines)
    two = NegotiationDirectory(machines[1] / "plans" / "d")
    assert two.poll(ALPHA).data["turn"] == "yours"
    draft = two.root / "positions" / "01-backups.md"
    draft.write_text(f"# Positions\n\n## {ALPHA}'s position (round 1)\nTwo says 90 days.\n")
    real = Clone.pull

    def first(self: Clone) -> list[str]:
        """As if the other's push came right after our pull."""
        kept = real(self)
        if str(self.root) == str(two.root) and one.read_state().turn == 1:
            assert one.write(ALPHA, "1", "One says 30 days.").ok
            assert one.hand_off(ALPHA).ok
        return kept

    monkeypatch.setattr(Clone, "pull", first)
    with pytest.raises(PushRejected, match="Nothing of yours is lost"):
        two.hand_off(ALPHA)
    assert "Two says 90 days." in draft.read_text()
    told = two.hand_off(ALPHA)  # again, and judged by what is there now
    assert told.code == "turn"
    kept = [p for p in (two.root / ".graphbus" / "aside").iterdir() if "Two says 90" in p.read_text()]
    assert kept
    assert str(kept[0]) in two.warnings[-1]
    for where in (one, two):
        assert [e.text for e in where.read_state().issues["01-backups"].entries] == ["One says 30 days."]


def test_one_name_is_registered_once(machines: tuple[Path, Path]) -> None:
    """Both at once, many times: of two registrations under one name one stands."""
    one, two = (NegotiationDirectory(m / "d") for m in machines)
    one.init(Settings(2), through_git=True)
    two.init(Settings(2), through_git=True)
    done: list[str] = []

    def take(where: NegotiationDirectory, who: str) -> None:
        try:
            done.append("seated" if where.register(ALPHA, participant=who).ok else "refused")
        except UsageError as e:
            done.append(type(e).__name__)

    threads = [threading.Thread(target=take, args=(w, f"manual:{n}"), daemon=True) for n, w in enumerate((one, two))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    assert done.count("seated") == 1
    assert one.read_state().agents == two.read_state().agents == [ALPHA]
    assert one.read_state().participants == two.read_state().participants


def test_a_push_that_does_not_get_through_changes_nothing(machines: tuple[Path, Path]) -> None:
    """The network is away: refused, with what to do, and said again later it is taken."""
    one, two = opened(machines)
    shared = machines[0].parent / "shared.git"
    hook = shared / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho closed >&2\nexit 1\n")
    hook.chmod(0o755)
    one.poll(ALPHA)
    before = (one.root / ".graphbus" / "log.jsonl").read_bytes()
    with pytest.raises(UsageError, match="run it again"):
        turn_api.take_turn(one, ALPHA, "@offer 1\nKeep backups 30 days.")
    assert (one.root / ".graphbus" / "log.jsonl").read_bytes() == before
    hook.unlink()
    assert turn_api.take_turn(one, ALPHA, "@offer 1\nKeep backups 30 days.").ok
    assert two.poll(BETA).data["turn"] == "yours"


def test_commits_of_the_user_are_not_pushed_for_them(machines: tuple[Path, Path]) -> None:
    """A branch with work that was not pushed is refused, in words."""
    one, _ = opened(machines)
    (machines[0] / "code.py").write_text("x = 3\n")
    git(machines[0], "commit", "-qam", "mine")
    with pytest.raises(UsageError, match="commits that are not in origin/main"):
        turn_api.take_turn(one, ALPHA, "@offer 1\nKeep.")


def test_as_commands(
    machines: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`start --git` on both machines; where it is not a clone, that is said."""

    def run(*words: str, where: Path) -> subprocess.CompletedProcess[str]:
        monkeypatch.chdir(where)
        return subprocess.CompletedProcess(words, main(["negotiate", *words]), *capsys.readouterr())

    (tmp_path / "plain").mkdir()
    refused = run("start", "d", "A plan", "--git", "--no-wait", where=tmp_path / "plain")
    assert (refused.returncode, "not a git repository" in refused.stderr) == (1, True)
    for number, machine in enumerate(machines):
        seat = str(tmp_path / f"seat{number}")
        done = run(
            "start", "d", "A plan", "--git", "--no-wait", "--seat", seat, "--name", (ALPHA, BETA)[number], where=machine
        )
        assert done.returncode == 0, done.stderr
    one = ("d", "--seat", str(tmp_path / "seat0"))
    assert run("turn", *one, "--for", "20", where=machines[0]).returncode == 0
    (tmp_path / "say.txt").write_text("@issue backups\nHow long?\n")
    assert run("say", *one, "--file", str(tmp_path / "say.txt"), where=machines[0]).returncode == 0
    two = run("turn", "d", "--seat", str(tmp_path / "seat1"), "--for", "20", where=machines[1])
    assert (two.returncode, "How long?" in two.stdout) == (0, True)
