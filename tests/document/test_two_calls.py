"""Two calls a turn, and who acts is who sits (issue 19, parts 2 and 3)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.cli.negotiate import operations
from graphbus_core.errors import ConfigError, UsageError
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.sessions.document import turn_api
from graphbus_core.sessions.document.directory import NegotiationDirectory
from graphbus_core.storage.seat_token import Seat, compute_digest, read_seat, write_seat
from tests import forking

ALPHA, BETA = "agent-alpha", "agent-beta"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for a negotiation; seats lie in a home of the test's own, and nobody claims an identity."""
    for variable in operations.SESSION_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "a b" / "d"


def begun(root: Path, issues: int = 1) -> NegotiationDirectory:
    """Both registered by name, alpha's turn."""
    where = NegotiationDirectory(root)
    where.init(Settings(2))
    (root / "topic.md").write_text("# Topic\n\nOne plan\n")
    (root / "sources" / "a.md").write_text("We keep backups for 90 days.\n")
    for number in range(1, issues + 1):
        where.add_issue(f"point {number}")
    for name in (ALPHA, BETA):
        assert where.register(name).ok
    return where


def test_a_negotiation_takes_two_calls_a_turn(root: Path) -> None:
    """`turn` tells what is owed, `say` takes all of it; the last acceptance of the generated document ends it."""
    where = begun(root, 2)
    assert "you owe it a word" in turn_api.deliver_brief(where, ALPHA)
    assert (
        turn_api.take_turn(where, ALPHA, "@offer 1\nKeep backups 30 days.\n@position 2\nI would log in JSON.\n").data[
            "end"
        ]
        == "handed"
    )
    told = turn_api.deliver_brief(where, BETA)
    assert "One plan" in told
    assert "We keep backups for 90 days." in told
    assert "Keep backups 30 days." in told
    done = turn_api.take_turn(where, BETA, "@accept 1\n@offer 2\nLogs are JSON lines.\n@issue format\nWhich charset?\n")
    assert (done.data["accepted"], done.data["offered"], done.data["filed"]) == (1, 1, 1)
    third = next(stem for stem in where.read_state().issues if stem.endswith("format"))
    again = turn_api.deliver_brief(where, ALPHA)
    assert "Which charset?" in again
    assert turn_api.take_turn(where, ALPHA, f"@accept 2\n@offer {third}\nUTF-8 everywhere.\n").ok
    assert turn_api.take_turn(where, BETA, f"@accept {third}\n").data["end"] == "handed"
    assert "nobody has accepted it" in turn_api.deliver_brief(where, ALPHA)
    assert turn_api.take_turn(where, ALPHA, "@accept final.md\n").data["end"] == "handed"
    assert "Yours is the last acceptance" in turn_api.deliver_brief(where, BETA)
    over = turn_api.take_turn(where, BETA, "@accept final\n")
    assert over.data["end"] == "finished"
    final = (root / "final.md").read_text()
    assert all(text in final for text in ("Keep backups 30 days.", "Logs are JSON lines.", "UTF-8 everywhere."))
    assert where.find_problems() == ()


def test_only_what_is_new_is_shown_unless_all_is_asked_for(root: Path) -> None:
    """The topic, the sources and what was read do not come again."""
    where = begun(root)
    first = turn_api.deliver_brief(where, ALPHA)
    turn_api.take_turn(where, ALPHA, "@position 1\nNinety days.\n")
    turn_api.deliver_brief(where, BETA)
    turn_api.take_turn(where, BETA, "@position 1\nThirty days.\n")
    second = turn_api.deliver_brief(where, ALPHA)
    assert ("One plan" in first, "One plan" in second, "Thirty days." in second) == (True, False, True)
    assert "Ninety days." not in second
    assert "One plan" in turn_api.deliver_brief(where, ALPHA, everything=True)


def test_a_turn_is_taken_whole_or_not_at_all(root: Path) -> None:
    """Every refusal names its line, and nothing of it is recorded."""
    where = begun(root, 2)
    told = turn_api.take_turn(where, ALPHA, "@offer 1\nKeep backups 30 days.\n@accept 2 abcd\n@position nowhere\nNo.\n")
    assert not told.ok
    assert [r.line for r in told.reasons] == [4]
    told = turn_api.take_turn(where, ALPHA, "@offer 1\nKeep backups 30 days.\n@accept 2 abcd\n")
    assert {r.line for r in told.reasons if r.code == "none"} == {3}
    assert where.read_state().issues["01-point-1"].entries == []
    assert turn_api.take_turn(where, ALPHA, "hello").reasons[0].line == 1
    assert turn_api.take_turn(where, ALPHA, "@offre 1\nx").reasons[0].code == "directive"
    assert turn_api.take_turn(where, BETA, "@offer 1\nMine.").code == "turn"


def test_a_turn_may_be_json_and_may_be_kept(root: Path) -> None:
    """`--keep` neither hands off nor finishes."""
    where = begun(root)
    said = json.dumps({"offers": [{"issue": "1", "text": "Keep backups 30 days."}]})
    assert turn_api.take_turn(where, ALPHA, said, keep=True).data["end"] == "kept"
    assert where.read_state().holder == ALPHA
    assert where.hand_off(ALPHA).ok
    assert not turn_api.parse_turn('{"offers": 3}').parts


def test_a_turn_wakes_within_a_second_and_costs_nothing_while_it_waits(root: Path) -> None:
    """Files are looked at, not read; half a minute of waiting is measured in small."""
    where = begun(root)
    cpu = time.process_time()
    turn_api.wait_for_turn(where, BETA, lambda data: data["turn"] != "wait", 4)
    spent = (time.process_time() - cpu) * 15
    assert spent <= 0.6, f"{spent:.3f} s a minute"  # measured: 0.03; a shared machine is noisy
    handed = 0.0

    def hand() -> None:
        nonlocal handed
        time.sleep(0.5)
        NegotiationDirectory(root).write(ALPHA, "1", "Ninety days.")
        NegotiationDirectory(root).hand_off(ALPHA)
        handed = time.monotonic()

    thread = threading.Thread(target=hand, daemon=True)
    thread.start()
    told = turn_api.wait_for_turn(NegotiationDirectory(root), BETA, lambda data: data["turn"] != "wait", 30)
    woke = time.monotonic()
    thread.join(30)
    assert not thread.is_alive()
    assert told.data["turn"] == "yours"
    assert woke - handed <= 10  # half a second; a full look, every 20 s, would be too late


def test_a_seat_with_a_token_is_not_anybody_who_types_its_name(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`start` keeps the token in a file of its own; acting needs it, and another seat's is not help."""
    assert main(["negotiate", "start", str(root), "One plan", "--no-wait", "--json"]) == 0
    seat = Path(json.loads(capsys.readouterr().out)["seat"])
    assert not seat.is_relative_to(root)
    assert (seat.stat().st_mode & 0o077) == 0
    assert main(["negotiate", "register", str(root), BETA, "--trust", "names"]) == 0
    where = NegotiationDirectory(root)
    assert where.read_state().tokens == {ALPHA: compute_digest(read_seat(seat).token)}
    text = (root / ".graphbus" / "log.jsonl").read_text()
    assert read_seat(seat).token not in text
    where.token = read_seat(seat).token
    assert where.add_issue("backups", ALPHA).ok
    bare = [["position", str(root), ALPHA, "1", "--text", "x"], ["hand-off", str(root), ALPHA], ["finish", str(root)]]
    capsys.readouterr()
    for command in bare:
        assert main(["negotiate", *command]) == 1, command
        assert "--seat FILE" in capsys.readouterr().err
    offered = ["offer", str(root), ALPHA, "1", "--text", "Keep backups 30 days.", "--seat", str(seat)]
    (root / "issues" / "01-backups.md").write_text("# Issue: Backups\n\n## Question\nHow long?\n")
    assert main(["negotiate", *offered]) == 0
    assert main(["negotiate", "hand-off", str(root), "--seat", str(seat)]) == 0
    assert main(["negotiate", "position", str(root), BETA, "1", "--text", "Fine.", "--seat", str(seat)]) == 64


def test_a_seat_file_lies_outside_the_directory(root: Path) -> None:
    """All can read what lies in it."""
    with pytest.raises(ConfigError, match="in the negotiation's directory"):
        write_seat(root / "seat.json", Seat(str(root), ALPHA, "t"))


def test_nobody_rules_as_a_person_without_a_terminal(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An agent has no terminal."""
    begun(root)
    for command in (["rule", str(root), "1", "--text", "So be it."], ["reopen", str(root), "human", "1"]):
        done = forking.run(
            [sys.executable, "-m", "graphbus_core.cli.main", "negotiate", *command],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
        )
        assert done.returncode == 1
        assert "a person's act" in done.stderr


def test_a_linked_folder_is_refused_and_not_followed(root: Path, tmp_path: Path) -> None:
    """`positions/` that leads elsewhere is neither read nor written."""
    where = begun(root)
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "positions").rmdir()
    os.symlink(outside, root / "positions")
    with pytest.raises(UsageError, match="symbolic link"):
        where.write(ALPHA, "1", "Ninety days.")
    assert list(outside.iterdir()) == []


def test_the_mark_of_what_was_shown_may_be_lost(root: Path) -> None:
    """Then all is shown."""
    where = begun(root)
    turn_api.deliver_brief(where, ALPHA)
    (where.hidden / f"read-{ALPHA}.json").write_text("{")
    assert turn_api.load_reading_mark(where.hidden, ALPHA).turn == -1
    assert "One plan" in turn_api.deliver_brief(where, ALPHA)


def test_a_turn_in_json_may_number_its_issue_and_one_without_end_is_refused(root: Path) -> None:
    """Agents write `"issue": 1`; ten thousand brackets are not a turn, and no traceback."""
    where = begun(root)
    assert turn_api.take_turn(
        where, ALPHA, json.dumps({"offers": [{"issue": 1, "text": "Keep 30 days."}]}), keep=True
    ).ok
    deep = '{"offers": ' + "[" * 10_000 + "]" * 10_000 + "}"
    assert turn_api.take_turn(where, ALPHA, deep).code == "json"


def test_a_decision_of_ones_own_and_the_form_are_not_told_twice(tmp_path: Path) -> None:
    """Whoever wrote the words of a decision is told that they stand; who asks again in one turn is told the same."""
    where = NegotiationDirectory(tmp_path / "d")
    where.init(Settings(2))
    where.add_issue("backups")
    where.register(ALPHA)
    where.register(BETA)
    first = turn_api.deliver_brief(where, ALPHA)
    assert "each part below its line" in first
    assert turn_api.take_turn(where, ALPHA, "@offer 01-backups\nBackups are kept in Oslo.").ok
    assert "Backups are kept in Oslo." in turn_api.deliver_brief(where, BETA)
    assert "Backups are kept in Oslo." in turn_api.deliver_brief(where, BETA, again=True)
    assert turn_api.take_turn(where, BETA, "@accept 01-backups\n@issue logs\nHow long?").ok
    second = turn_api.deliver_brief(where, ALPHA)
    assert "AGREED, as you know: 01-backups." in second
    assert ("Backups are kept in Oslo." in second, "each part below its line" in second) == (False, False)
    assert "Backups are kept in Oslo." in turn_api.deliver_brief(where, ALPHA, everything=True)
