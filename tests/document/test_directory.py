"""A negotiation over a directory: what is refused, what is put back, what survives (issue 9; the reference)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import directory_faults as faults
from benchmarks.directory_interop import negotiate
from graphbus_core.cli.main import main
from graphbus_core.cli.negotiate import operations
from graphbus_core.errors import LogDamaged, UsageError
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.sessions.document.directory import NegotiationDirectory

ALPHA, BETA = "agent-alpha", "agent-beta"
CROWD = int(os.environ.get("GRAPHBUS_CROWD", "8"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A path with a space and letters of other scripts."""
    return tmp_path / "ein Plan 計画"


class Clock:
    """A monotonic clock that a test moves, and a wall clock that jumps as it likes."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.wall = 1.7e9

    def monotonic(self) -> float:
        return self.now


def begun(root: Path, clock: Clock | None = None, agents: int = 2, **settings: Any) -> tuple[NegotiationDirectory, str]:
    """An issue, all registered, the first agent's turn."""
    where = NegotiationDirectory(root)
    if clock is not None:
        where = NegotiationDirectory(root, now=lambda: clock.wall, monotonic=clock.monotonic)
    where.init(Settings(expected_agents=agents, **settings))
    stem = where.add_issue("storage").data["file"][:-3]
    for name in ("agent-alpha", "agent-beta", "agent-gamma")[:agents]:
        assert where.register(name).ok
    return where, stem


@pytest.mark.parametrize("fault", list(faults.ROWS))
def test_a_fault_of_the_scripts_in_use_is_not_ours(fault: str, tmp_path: Path) -> None:
    """Every row of the reference's fault table reads 0."""
    tried, violations = faults.ROWS[fault](tmp_path, CROWD)
    assert (tried > 0, violations) == (True, 0)


@pytest.mark.parametrize(("seed", "finisher"), [(1, "shell"), (2, "ours"), (3, "shell")])
def test_one_side_uses_no_code_of_ours(seed: int, finisher: str, root: Path) -> None:
    """Shell commands that write the files by hand, and ours, which is killed all the while."""
    assert negotiate(root, 4, seed, finisher)["violations"] == []


def test_a_refused_hand_off_says_all_reasons_and_keeps_turn_and_edits(root: Path) -> None:
    """Each with its file and line."""
    where, stem = begun(root)
    where.write(ALPHA, stem, "Files.")
    where.hand_off(ALPHA)
    path = root / "positions" / f"{stem}.md"
    other = where.add_issue("format").data["file"][:-3]
    (root / "positions" / f"{other}.md").write_text("# P\n\n## agent-alpha's position (round 1)\nForged.\n")
    text = path.read_text().replace("Files.", "Databases.").replace("OPEN", "AGREED to disagree")
    path.write_text(text)
    told = where.hand_off(BETA)
    assert not told.ok
    said = [(r.file, r.line, r.code) for r in told.reasons]
    assert (f"positions/{stem}.md", 3, "altered") in said
    assert (f"positions/{other}.md", 3, "forged") in said
    assert (f"positions/{stem}.md", 6, "") in said
    assert path.read_text() == text
    assert faults.turn(root) == BETA
    assert where.recover().ok
    assert "Files." in path.read_text()
    assert any("Databases." in kept.read_text() for kept in (root / ".graphbus" / "aside").iterdir())
    where.write(BETA, stem, "Databases.")
    assert [r.code for r in where.hand_off(BETA).reasons] == ["blank"]
    (root / "issues" / f"{other}.md").write_text("# Issue: Format\n\n## Question\nWhich?\n")
    assert where.hand_off(BETA).ok


def test_two_entries_in_one_turn_are_one_too_many(root: Path) -> None:
    """Also where one came by a command and the other by hand; neither takes the other's place unasked."""
    where, stem = begun(root)
    path = root / "positions" / f"{stem}.md"
    path.write_text("## agent-alpha's position (round 1)\nFiles.\n")
    assert where.write(ALPHA, stem, "A database.").ok
    told = where.hand_off(ALPHA)
    assert [r.code for r in told.reasons] == ["second"]
    assert where.read_state().holder == ALPHA
    path.write_text(path.read_text().replace("## agent-alpha's position (round 1)\nFiles.\n", ""))
    assert where.hand_off(ALPHA).ok
    assert [e.text for e in where.read_state().issues[stem].entries] == ["A database."]


def test_a_turn_that_moved_without_us_is_checked_after_the_fact(root: Path) -> None:
    """What keeps the rules is recorded, the rest is put back, said, and kept aside."""
    where, stem = begun(root)
    path = root / "positions" / f"{stem}.md"
    path.write_text("## agent-alpha's position (round 1)\nFiles.\n\n## Status: AGREED\nFiles it is.\n")
    (root / "turn.md").write_text("agent-beta\n")
    assert where.poll(BETA).data["turn"] == "yours"
    issue = where.read_state().issues[stem]
    assert (issue.status, [e.text for e in issue.entries]) == ("OPEN", ["Files."])
    assert "## Status: OPEN" in path.read_text()
    notices = where.read_state().notices
    assert notices[0].file == f"positions/{stem}.md"
    assert "Files it is." in (root / notices[0].kept).read_text()


@pytest.mark.parametrize("word", ["agent-beta", "agent-zeta", "done", "registration", "", "agent-alpha\nagent-beta"])
def test_a_turn_file_that_says_something_else_is_put_back(word: str, root: Path) -> None:
    """No hand-off without a word on what is open, no end by a word alone."""
    where, _ = begun(root)
    (root / "turn.md").write_text(word)
    assert where.poll(ALPHA).data["turn"] == "yours"
    assert faults.turn(root) == ALPHA


def test_deleted_files_come_back(root: Path) -> None:
    """Also the log of what was said, as long as the log is there."""
    where, stem = begun(root)
    where.write(ALPHA, stem, "Files.")
    where.hand_off(ALPHA)
    for name in (f"positions/{stem}.md", f"issues/{stem}.md", "turn.md", "agents.md", "meta.md"):
        (root / name).unlink()
        where.poll(ALPHA)
        assert name in ("agents.md", "meta.md") or (root / name).exists(), name
    assert "Files." in (root / "positions" / f"{stem}.md").read_text()


def test_without_its_log_a_directory_is_adopted_as_it_stands(root: Path) -> None:
    """The files alone are enough to go on, as for a negotiation that others opened."""
    import shutil

    where, stem = begun(root)
    where.write(ALPHA, stem, "Files.")
    where.hand_off(ALPHA)
    shutil.rmtree(root / ".graphbus")
    where = NegotiationDirectory(root)
    assert where.poll(BETA).data["turn"] == "yours"
    assert where.write(BETA, stem, "Files it is.", status="AGREED").data["as"] == "offer"
    assert where.hand_off(BETA).ok
    assert where.write(ALPHA, stem, "Files it is.", status="AGREED").data["as"] == "accept"
    (root / "final.md").write_text("Files it is.")
    assert where.finish().code == "waits"
    assert where.hand_off(ALPHA).ok
    assert where.finish().ok


def test_an_altered_log_is_seen_and_mended(root: Path) -> None:
    """What is sound before the change is kept, the file as it was too."""
    where, stem = begun(root)
    where.write(ALPHA, stem, "Files.")
    where.hand_off(ALPHA)
    log = root / ".graphbus" / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b"Files.", b"Pilfe."))
    with pytest.raises(LogDamaged):
        NegotiationDirectory(root).poll(ALPHA)
    where = NegotiationDirectory(root)
    assert where.recover().data["log"]
    assert where.poll(ALPHA).ok


def test_time_counts_from_what_this_machine_saw(root: Path) -> None:
    """A wall clock that jumps does no harm; silence does; whoever polls or writes is alive, six timeouts at most."""
    clock = Clock()
    where, stem = begun(root, clock, turn_timeout_s=100)
    clock.wall += 1e9
    clock.now += 99
    assert where.poll(BETA).data["holder"] == ALPHA
    clock.wall -= 2e9
    clock.now += 2
    assert where.poll(BETA).data["holder"] == BETA
    for _ in range(5):
        clock.now += 99
        assert where.poll(BETA).data["holder"] == BETA
        assert where.poll(ALPHA).data["holder"] == BETA
    (root / "positions" / f"{stem}.md").write_text("## agent-beta's position (round 1)\nSlow, but mine.\n")
    clock.now += 99
    where.poll(ALPHA)
    clock.now += 99
    assert where.poll(ALPHA).data["holder"] == ALPHA
    kept = where.read_state().issues[stem]
    assert [e.text for e in kept.entries] == ["Slow, but mine."]
    assert kept.rounds == {ALPHA: 1, BETA: 1}


def test_a_full_disk_records_nothing_and_loses_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next command, with room again, goes on as if nothing had been."""
    where, stem = begun(root)
    real = os.fdatasync

    def full(*args: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdatasync", full)
    with pytest.raises(Exception, match="No space left"):
        where.write(ALPHA, stem, "Files.")
    monkeypatch.setattr(os, "fdatasync", real)
    assert where.write(ALPHA, stem, "Files.").ok
    assert where.hand_off(ALPHA).ok


def test_files_that_cannot_be_written_are_written_later(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is recorded stands; the next command says it in the files."""
    where, stem = begun(root)
    where.write(ALPHA, stem, "Files.")
    (root / ".turn-started").write_text("agent-alpha\n1\n")  # so that it is to be written, too

    def full(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        assert where.hand_off(ALPHA).ok
        assert where.warnings
    assert faults.turn(root) == ALPHA
    assert NegotiationDirectory(root).poll(BETA).data["turn"] == "yours"
    assert faults.turn(root) == BETA


def unwritable(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Files of these names cannot be replaced."""
    real = os.replace

    def replace(source: Any, target: Any) -> None:
        if Path(target).name in names:
            raise PermissionError(13, "Permission denied", str(source), None, str(target))
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)


def test_a_file_that_lags_behind_the_log_is_nobodys_move(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither an older entry nor our own older turn.md is read as somebody's; who only looks is answered."""
    where, stem = begun(root)
    where.write(ALPHA, stem, "First.")
    with monkeypatch.context() as patch:
        unwritable(patch, f"{stem}.md", "turn.md")
        assert where.write(ALPHA, stem, "Second.").ok
        with pytest.raises(UsageError, match=f"Nothing was done.*{stem}.md cannot be written"):
            where.hand_off(ALPHA)
        assert [r.code for r in where.find_problems()] == ["behind"]
    assert where.hand_off(ALPHA).ok
    where.write(BETA, stem, "Mine.")
    with monkeypatch.context() as patch:
        unwritable(patch, "turn.md")
        assert where.hand_off(BETA).ok
        for _ in range(3):
            assert NegotiationDirectory(root).poll(ALPHA).data["turn"] == "yours"
    state = where.read_state()
    assert state.holder == ALPHA
    assert [e.text for e in state.issues[stem].entries] == ["Second.", "Mine."]
    assert not state.notices


def test_a_planted_link_is_replaced_and_not_written_through(root: Path, tmp_path: Path) -> None:
    """A directory may come with a clone, and its links lead anywhere: what is kept beside the log replaces them."""
    where, _ = begun(root)
    outside = tmp_path / "outside"
    outside.write_text("mine")
    hidden = root / ".graphbus"
    kept = [*hidden.glob("seen-*.json"), hidden / "beat", *hidden.glob("*.head")]
    for path in kept:
        path.unlink(missing_ok=True)
        path.symlink_to(outside)
    assert where.add_issue("another").ok
    where.watch.record_heartbeat()
    where.watch.observe("another phase", "")
    assert [path.name for path in kept if path.is_symlink()] == []
    assert outside.read_text() == "mine"


def test_a_file_that_cannot_be_read_is_not_written_over(root: Path) -> None:
    """Its writer is told; `recover` keeps it aside."""
    where, stem = begun(root)
    where.write(ALPHA, stem, "Files.")
    where.hand_off(ALPHA)
    path = root / "positions" / f"{stem}.md"
    path.write_bytes(path.read_bytes() + "\n## agent-beta's position (round 1)\nLänger.\n".encode("latin-1"))
    assert "not UTF-8" in where.write(BETA, stem, "Short.").reasons[0].what
    kept = where.recover().data["undone"][0]
    assert "L\ufffdnger" in (root / kept["todo"].removeprefix("Kept in ").rstrip(".")).read_text(errors="replace")
    assert where.write(BETA, stem, "Short.").ok
    assert where.hand_off(BETA).ok


def test_a_folder_that_is_none_is_said_once_and_costs_no_facts(root: Path) -> None:
    """Whoever polls hears it; nothing grows."""
    where, stem = begun(root)
    where.write(ALPHA, stem, "Files.")
    facts = len(where.list_facts())
    for path in (root / "positions").iterdir():
        path.unlink()
    (root / "positions").rmdir()
    (root / "positions").write_text("no folder")
    for _ in range(5):
        assert where.poll(ALPHA).data["turn"] == "yours"
    assert (len(where.list_facts()), len(where.warnings)) == (facts, 1)
    (root / "positions").unlink()
    assert where.poll(ALPHA).ok
    assert (root / "positions" / f"{stem}.md").exists()


def test_the_frame_and_the_document_come_back(root: Path) -> None:
    """Deleted or altered: agents.md, meta.md, the topic, the sources, and what was agreed."""
    (root / "sources").mkdir(parents=True)
    (root / "sources" / "plan.md").write_text("The plan.\n")
    (root / "topic.md").write_text("# Topic\n\nStores.\n")
    where, stem = begun(root)
    where.write(ALPHA, stem, "Files it is.", "offer")
    where.hand_off(ALPHA)
    frame = {n: (root / n).read_bytes() for n in ("agents.md", "meta.md", "topic.md", "sources/plan.md")}
    for name in frame:
        (root / name).unlink()
    assert not where.find_problems()
    assert {n: (root / n).read_bytes() for n in frame} == frame
    (root / "agents.md").write_text("- agent-beta (registered: now)\n- agent-alpha (registered: now)\n")
    where.poll(BETA)
    assert (root / "agents.md").read_bytes() == frame["agents.md"]
    where.write(BETA, stem, "Files it is.", status="AGREED")
    (root / "final.md").write_text("Files it is.\n")
    assert where.finish().code == "waits"
    assert where.hand_off(BETA).ok
    assert where.finish().ok
    for spoil in (lambda p: p.unlink(), lambda p: p.write_text("Tampered.\n")):
        spoil(root / "final.md")
        assert "final.md" in {r["file"] for r in where.recover().data["undone"]}
        assert (root / "final.md").read_text() == "Files it is.\n"


def test_the_window_is_open_from_the_first_registration_on(root: Path) -> None:
    """Nobody has to look for it to pass; who comes later is told."""
    clock = Clock()
    where = NegotiationDirectory(root, monotonic=clock.monotonic)
    where.init(Settings(expected_agents=3, registration_window_s=100))
    clock.now += 1000
    assert where.register(ALPHA).ok
    clock.now += 99
    assert where.register(BETA).ok
    clock.now += 2
    assert where.register("agent-gamma").code == "closed"
    assert where.poll(ALPHA).data["turn"] == "yours"


def test_start_is_one_command_for_an_agent(root: Path, tmp_path: Path) -> None:
    """Three at the same instant: one opens, all are seated under names of their own, each plan is there, and a restart
    finds its seat again."""
    for number in range(3):
        (tmp_path / f"{number}").mkdir()
        (tmp_path / f"{number}" / "plan.md").write_text(f"Plan {number}\n")

    def start(number: int) -> int:
        for variable in operations.SESSION_VARIABLES:
            os.environ.pop(variable, None)
        os.environ["NEGOTIATE_PARTICIPANT_ID"] = f"me{number}"
        return operations.start(root, Settings(3), "All plans", [tmp_path / f"{number}" / "plan.md"])

    for _ in range(2):
        assert faults.crowd([lambda k=k: start(k) for k in range(3)]) == [0, 0, 0]  # type: ignore[misc]
        state = NegotiationDirectory(root).read_state()
        assert sorted(state.agents) == ["agent-alpha", "agent-beta", "agent-gamma"]
    assert {(root / "sources" / f).read_text() for f in os.listdir(root / "sources")} == {
        f"Plan {n}\n" for n in range(3)
    }
    assert "All plans" in (root / "topic.md").read_text()


def test_a_directory_that_others_opened_is_joined(root: Path) -> None:
    """Made by hand in the reference's form, registration under way; also one that is in the middle of its turns."""
    for folder in ("issues", "positions", "sources"):
        (root / folder).mkdir(parents=True)
    keys = {"expected_agents": 2, "registration_window_seconds": 120, "max_rounds_per_agent": 3}
    (root / "meta.md").write_text("# Meta\n\n" + "".join(f"- **{k}:** {v}\n" for k, v in keys.items()))
    (root / "agents.md").write_text(
        "# Agents\n<!-- none\n- agent-x\n-->\n- agent-alpha (registered: 2026-01-01T00:00:00Z)\n"
    )
    (root / "turn.md").write_text("registration\n")
    (root / "issues" / "01-x.md").write_text("# Issue: X\n\n## Question\nWhich?\n")
    where = NegotiationDirectory(root)
    assert not where.init(Settings()).data["initializer"]
    assert where.register(ALPHA).code == "taken"
    assert where.register(BETA, "p1").ok
    state = where.read_state()
    assert (state.agents, state.holder, state.settings.max_rounds) == ([ALPHA, BETA], ALPHA, 3)
    assert "- agent-beta (registered: " in (root / "agents.md").read_text()


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("move", ["write", "hand_off", "agree", "finish", "new_issue", "register"])
def test_a_kill_before_any_write_leaves_all_or_nothing(move: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each write in turn is the last one that the process makes; another process goes on, and repeats the move."""
    for stop in range(40):
        place = root / f"{move}{stop}"
        where, stem = begun(place)
        where.write(ALPHA, stem, "Files it is.", "offer")
        where.hand_off(ALPHA)
        where.write(BETA, stem, "Files.")
        if move == "finish":
            where.write(BETA, stem, "Files it is.", status="AGREED")
            (place / "final.md").write_text("Files it is.")
        moves = {
            "write": lambda w, s=stem: w.write(BETA, s, "Files, I said."),
            "hand_off": lambda w: w.hand_off(BETA),
            "agree": lambda w, s=stem: w.write(BETA, s, "Files it is.", status="AGREED"),
            "finish": lambda w: w.finish(),
            "new_issue": lambda w: w.add_issue("format"),
            "register": lambda w: w.register("agent-gamma"),
        }
        count = 0

        def counted(real: Any, stop: int = stop) -> Any:
            def call(*args: Any, **kwargs: Any) -> Any:
                nonlocal count
                count += 1
                if count > stop:
                    raise Killed
                return real(*args, **kwargs)

            return call

        with monkeypatch.context() as patch:
            for name in ("pwrite", "replace", "link", "ftruncate", "fdatasync", "write"):
                patch.setattr(os, name, counted(getattr(os, name)))
            try:
                moves[move](NegotiationDirectory(place))
                survived = True
            except Killed:
                survived = False
        again = NegotiationDirectory(place)
        state = again.read_state()
        assert again.find_problems() == ()
        assert state.issues[stem].entries[0].text == "Files it is."
        if state.holder == BETA and not state.final:
            done = moves[move](again)
            assert done.ok or move == "register" or done.code == "waits"
        assert faults.turn(place) == (again.read_state().holder or "done")
        assert again.find_problems() == ()
        if survived:
            return
    raise AssertionError("it never came to its end")


def test_files_half_written_by_others_are_said_not_died_of(root: Path) -> None:
    """Bytes that are not text, a link, a pipe, a folder: a reason with the file, never a traceback or a hang."""
    where, stem = begun(root)
    where.write(ALPHA, stem, "Files.")
    path = root / "positions" / f"{stem}.md"
    for damage in ("bytes", "link", "pipe", "folder"):
        path.unlink(missing_ok=True)
        if damage == "bytes":
            path.write_bytes(b"## agent-al\xff\xfe")
        elif damage == "link":
            path.symlink_to("/etc/hostname")
        elif damage == "pipe":
            os.mkfifo(path)
        else:
            path.mkdir()
        told = where.hand_off(ALPHA)
        assert told.ok or all(r.file for r in told.reasons)
        if told.ok:  # a folder hides the file from the list; the log has the words
            break
        assert NegotiationDirectory(root).read_state().holder == ALPHA
        if damage == "folder":
            path.rmdir()


def test_exit_codes_are_those_of_the_reference(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And bad usage is 64, which no script takes for `done`."""
    for name in [name for name in os.environ if "SESSION" in name or "THREAD" in name]:
        monkeypatch.delenv(name)

    def graphbus(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
        with monkeypatch.context() as here:
            for name, value in env.items():
                here.setenv(name, value)
            code = main(["negotiate", *args])
        return subprocess.CompletedProcess(args, code, *capsys.readouterr())

    d = str(root)
    ids = [{"NEGOTIATE_PARTICIPANT_ID": name} for name in ("team", "team1")]
    assert graphbus("poll", d, ALPHA).returncode not in (0, 1, 2)
    assert [graphbus("init", d, "2", "60").returncode for _ in range(2)] == [0, 3]
    assert graphbus("new-issue", d, "Was tun?").stdout == "01-was-tun.md\n"
    assert graphbus("register", "--trust", "names", d, ALPHA, **ids[0]).returncode == 0
    assert graphbus("register", "--trust", "names", d, ALPHA, **ids[1]).returncode == 1
    assert graphbus("register", "--trust", "names", d, "agent-gamma", **ids[0]).returncode == 4
    assert graphbus("register", "--trust", "names", d, "Done").returncode == 2
    assert graphbus("register", "--trust", "names", d, "done").returncode == 2
    assert graphbus("wait-for-start", d, "nobody").returncode == 1
    assert graphbus("register", "--trust", "names", d, BETA, **ids[1]).returncode == 0
    started = graphbus("wait-for-start", d, BETA)
    assert (started.returncode, "agent-alpha -> agent-beta" in started.stdout) == (0, True)
    assert [graphbus("poll", d, name).returncode for name in (ALPHA, BETA)] == [0, 1]
    assert graphbus("hand-off", d, ALPHA).returncode == 1
    assert graphbus("offer", d, ALPHA, "1", "--text", "We do nothing.").returncode == 0
    assert graphbus("hand-off", d, ALPHA).returncode == 0
    assert graphbus("agree", d, BETA, "was-tun", "--text", "We do nothing.").returncode == 0
    assert graphbus("finish", d).returncode == 1
    assert "We do nothing." in (root / "final.md").read_text()  # generated, to be read and edited
    (root / "final.md").write_text("We do nothing.")
    waits = graphbus("finish", d)
    assert (waits.returncode, "it waits for agent-alpha. Hand off." in waits.stderr) == (1, True)
    assert graphbus("hand-off", d, BETA).returncode == 0
    last = graphbus("finish", d)
    assert (last.returncode, "Yours is the last acceptance" in last.stderr) == (0, True)
    assert graphbus("poll", d, ALPHA).returncode == 2
    for bad in (("polll", d), ("poll", d), ("init", d, "two"), ("init", d, "1"), (), ("poll", d, ALPHA, "--jason")):
        found = graphbus(*bad)
        assert (found.returncode, "Traceback" in found.stderr) == (64, False), bad


def test_the_skill_is_installed_with_its_eight_scripts(root: Path) -> None:
    """By the names of the seed, and they call the command."""
    command = [sys.executable, "-m", "graphbus_core.cli.main", "skill", "install", str(root / "skill")]
    assert subprocess.run(command, capture_output=True, timeout=60).returncode == 0
    names = {path.name for path in (root / "skill" / "scripts").iterdir()}
    assert names == {
        f"{n}.sh" for n in ("init", "register", "wait-for-start", "poll", "new-issue", "hand-off", "status", "finish")
    }
    env = {**os.environ, "GRAPHBUS_PYTHON": sys.executable}
    run = [str(root / "skill" / "scripts" / "init.sh"), str(root / "d e"), "2", "60"]
    codes = [subprocess.run(run, capture_output=True, timeout=60, env=env).returncode for _ in range(2)]
    assert codes == [0, 3]
