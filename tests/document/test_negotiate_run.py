"""`graphbus negotiate run`: what it is asked and what is there already; what it says when it cannot go on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.cli.negotiate import operations
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.sessions.document.directory import NegotiationDirectory
from tests import forking

ALPHA, BETA = "agent-alpha", "agent-beta"
ISSUE = {"topic": "store", "title": "Store", "question": "Files?"}
SCRIPT = {
    "default": {"draft_issues": {"issues": [ISSUE]}},
    "agents": {
        ALPHA: {
            "turn": [{"offers": [{"issue": "01-store", "text": "We keep files."}]}],
            "write_final": {"final": "We keep files, and a log of 30 days. Backups run nightly at 02:00."},
        },
        BETA: {
            "turn": [
                {
                    "positions": [{"issue": "01-store", "text": "Fine."}],
                    "marks": [{"issue": "01-store", "status": "AGREED", "text": "We keep files."}],
                }
            ]
        },
    },
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two sources and a script, in the current folder; no key of any model."""
    for variable in [*operations.SESSION_VARIABLES, *(k for k in os.environ if k.endswith("_API_KEY"))]:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text(json.dumps(SCRIPT))
    (tmp_path / "silent.yaml").write_text('{"default": {"turn": {"silent": "sleeps"}}}')
    (tmp_path / "a.md").write_text("We keep a log of 30 days.\n")
    (tmp_path / "b.md").write_text("Backups run nightly at 02:00.\n")
    return tmp_path


def run(*args: str, model: str = "scripted:s.yaml") -> int:
    """In the directory `d`."""
    return main(["negotiate", "run", "d", *args, "--model", model])


BOTH = ("--source", "a.md", "--source", "b.md")


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        ("--source a.md --model bogus:xx", 64, "bogus"),
        ("--source a.md --model scripted:none.yaml", 64, "none.yaml"),
        ("--source a.md --source a.md --model scripted:s.yaml", 64, "given twice"),
        ("--source a.md --source copy.md --model scripted:s.yaml", 64, "the same as a.md"),
        ("--source nowhere.md --model scripted:s.yaml", 64, "nowhere.md"),
        ("--source a.md --model scripted:typo.yaml", 64, "typo.yaml:1: there is no agent agent-alpa"),
        ("--source a.md --window 0 --model scripted:s.yaml", 64, "WINDOW"),
    ],
)
def test_what_is_wrong_with_the_command_is_found_before_anything_is_opened(
    args: str, code: int, says: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So the corrected command finds nothing in its way; with --json the reason is one object."""
    (here / "copy.md").write_text((here / "a.md").read_text())
    (here / "typo.yaml").write_text('{"agents": {"agent-alpa": {"turn": {"silent": "x"}}}}')
    assert main(["negotiate", "run", "d", *args.split(), "--json"]) == code
    said = json.loads(capsys.readouterr().out)
    assert (said["ok"], said["exit"]) == (False, code)
    assert says in said["reasons"][0]["what"]
    assert "Run the same command" not in str(said)
    assert not (here / "d").exists()


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("--topic Wrong", "--topic says 'Wrong'; it is about 'Right'"),
        ("--source c.md", "c.md is not among its sources"),
        ("--max-rounds 9", "--max-rounds 9 has no effect"),
        ("--turn-timeout 9", "--turn-timeout 9 has no effect"),
        ("--window 9", "--window 9 has no effect"),
        ("--rigorous", "--rigorous has no effect"),
        ("--with 3", "--with 3: it was opened for 2 agents, 2 of them ours"),
    ],
)
def test_a_run_that_asks_for_something_else_is_refused_by_name(
    more: str, says: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is under way with what it was opened with; the same command again goes on, or says how it ended."""
    (here / "c.md").write_text("A third thing.\n")
    assert run(*BOTH, "--topic", "Right") == 0
    before = (here / "d" / ".graphbus" / "log.jsonl").read_bytes()
    assert run(*BOTH, "--topic", "Right", "--with", "0", "--max-rounds", "5") == 0
    assert run() == 0
    capsys.readouterr()
    assert run(*more.split()) == 64
    assert says in capsys.readouterr().err
    assert (here / "d" / ".graphbus" / "log.jsonl").read_bytes() == before


def test_what_can_still_be_taken_in_is(here: Path) -> None:
    """A topic before anybody has begun, a source for a seat that is free."""
    where = NegotiationDirectory("d")
    where.init(Settings(2, drafting=True))
    (here / "d" / "sources" / "a.md").write_text("We keep a log of 30 days.\n")
    assert where.register(ALPHA, "model:a", "model").ok
    assert run(*BOTH, "--topic", "Right") == 0
    state = where.read_state()
    assert state.seats == {ALPHA: "model", BETA: "model"}
    assert (state.topic, set(state.sources)) == ("# Topic\n\nRight\n", {"a", "b"})


def test_a_full_table_has_no_seat_and_keeps_what_it_has(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """That is not a typing error; and no seat is taken where not all can be."""
    where = NegotiationDirectory("d")
    where.init(Settings(2))
    where.register(ALPHA)
    assert run(*BOTH, "--topic", "T") == 1
    assert "2 seats are wanted, and 1 of 2" in capsys.readouterr().err
    assert (where.read_state().agents, list((here / "d" / "sources").iterdir())) == ([ALPHA], [])
    assert not (here / "d" / "topic.md").exists()
    where.register(BETA)
    assert run("--source", "a.md") == 1


def test_the_document_ends_with_a_line_end(here: Path) -> None:
    """As text files do."""
    assert run(*BOTH) == 0
    assert (here / "d" / "final.md").read_text().endswith("02:00.\n")


def test_a_ruling_that_is_waited_for_is_asked_for(here: Path) -> None:
    """In a pipe nobody else says that a person is wanted; and Ctrl-C says how to go on."""
    mark = {"issue": "01-store", "status": "ESCALATE", "text": "We differ."}
    turn = {"positions": [{"issue": "01-store", "text": "No."}], "marks": [mark]}
    script = {"default": {"draft_issues": {"issues": [ISSUE]}, "turn": turn}}
    (here / "s.yaml").write_text(json.dumps(script))
    command = [sys.executable, "-m", "graphbus_core.cli.main", "negotiate", "run", "d", *BOTH, "--human"]
    process = forking.Popen(
        [*command, "--model", "scripted:s.yaml"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=here,
    )
    assert process.stderr is not None
    watchdog = threading.Timer(60, process.kill)  # ends the reading below, too
    watchdog.start()
    lines = []
    try:
        for line in process.stderr:
            lines.append(line)
            if "asked for a ruling" in line:
                break
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=60)
    finally:
        watchdog.cancel()
        process.kill()
    assert f"graphbus negotiate rule {here / 'd'} 01-store --text '…'" in lines[-1]
    assert (process.returncode, "run the same command again to go on" in rest) == (130, True)
