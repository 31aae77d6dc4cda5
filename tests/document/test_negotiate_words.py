"""What `graphbus negotiate` says: to a program one object whatever happens, to people what to do next."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.main import main
from graphbus_core.cli.negotiate import operations
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.sessions.document.directory import NegotiationDirectory
from graphbus_core.sessions.document.locked_folder import hold_lock

ALPHA, BETA = "agent-alpha", "agent-beta"
D = "ein Plan 計画"
COMMANDS = {
    "register": [ALPHA],
    "wait-for-start": [ALPHA],
    "poll": [ALPHA],
    "wait-turn": [ALPHA],
    "new-issue": ["storage"],
    "hand-off": [ALPHA],
    "status": [],
    "finish": [],
    "position": [ALPHA, "1", "--text", "x"],
    "agree": [ALPHA, "1", "--text", "x"],
    "escalate": [ALPHA, "1", "--text", "x"],
    "reopen": [ALPHA, "1"],
    "rule": ["1", "--text", "x"],
    "analysis-done": [ALPHA],
    "show": [],
    "watch": [],
    "verify": [],
    "recover": [],
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder; the negotiation is `D` in it."""
    for variable in operations.SESSION_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def begun(**settings: Any) -> NegotiationDirectory:
    """One issue, alpha's turn."""
    where = NegotiationDirectory(D)
    where.init(Settings(**settings))
    where.add_issue("storage")
    assert (where.register(ALPHA).ok, where.register(BETA).ok) == (True, True)
    return where


def negotiate(command: str, *args: str) -> int:
    """One command on `D`."""
    return main(["negotiate", command, D, *args])


def one_object(out: str) -> dict[str, Any]:
    """All that was printed, which has to be one object that says what failed."""
    data: dict[str, Any] = json.loads(out)
    assert data["error"]
    return data


@pytest.mark.parametrize("command", COMMANDS)
def test_a_program_gets_one_object_where_there_is_no_negotiation(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of every command, with the exit code in it."""
    code = negotiate(command, *COMMANDS[command], "--json")
    said = one_object(capsys.readouterr().out)
    assert (said["code"], said["exit"], said["ok"]) == (code, code, False)
    assert "There is no negotiation" in said["reasons"][0]["what"]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ("init D 1", 64),
        ("init D 2 0", 64),
        ("start D --source nowhere.md", 64),
        ("start D --window 0", 64),
        ("position D agent-alpha 1 --file nowhere.md", 64),
        ("position D agent-alpha 1 --text a --file b", 64),
        ("position D agent-alpha 9 --text a", 1),
        ("show D --issue 99", 64),
        ("poll D", 64),
        ("hand-off D agent-beta", 1),
    ],
)
def test_a_program_gets_one_object_for_what_is_wrong_or_refused(
    args: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bad usage is 64 everywhere."""
    begun()
    given = [D if arg == "D" else arg for arg in args.split()]
    assert main(["negotiate", *given, "--json"]) == code
    assert one_object(capsys.readouterr().out)["code"] == code


def test_a_program_gets_one_object_for_a_lock_and_a_damaged_log(capsys: pytest.CaptureFixture[str]) -> None:
    """Also where nothing of the negotiation could be read."""
    where = begun()
    with hold_lock(where.hidden / "lock"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(NegotiationDirectory, "__init__", _impatient)
        assert negotiate("status", "--json") == 70
    assert one_object(capsys.readouterr().out)["reasons"][0]["code"] == "locked"
    where.log.path.write_bytes(where.log.path.read_bytes().replace(b"storage", b"porridge"))
    assert negotiate("status", "--json") == 70
    assert one_object(capsys.readouterr().out)["reasons"][0]["code"] == "damaged"


def test_a_program_gets_one_object_for_an_interruption(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the plain form and in the one with options."""
    begun()

    def interrupted(*args: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(NegotiationDirectory, "poll", interrupted)
    for more in ([], ["--for", "9"]):
        assert negotiate("wait-turn", BETA, *more, "--json") == 130
        assert one_object(capsys.readouterr().out)["code"] == 130


_init = NegotiationDirectory.__init__


def _impatient(self: NegotiationDirectory, root: Any) -> None:
    _init(self, root, lock_timeout_s=0.05)


@pytest.mark.parametrize("what", [".graphbus", ".graphbus/lock", ".graphbus/log.jsonl"])
@pytest.mark.parametrize("command", ["status", "recover", "init"])
def test_what_stands_in_the_way_is_named_with_what_to_do(
    what: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file where a folder belongs, or the other way round."""
    begun()
    path = Path(D, what)
    path.rename("aside")
    path.touch() if what == ".graphbus" else path.mkdir()
    assert negotiate(command) in (1, 70)
    said = capsys.readouterr().err
    assert str(path) in said
    assert "move it away" in said
    assert "Errno" not in said


def test_a_file_name_that_is_no_utf8_makes_no_json_that_is_none(here: Path) -> None:
    """Nor does it end the command."""
    begun()
    with open(os.path.join(os.fsencode(D), b"issues", b"02-\xff.md"), "w") as out:
        out.write("# Issue: X\n\n## Question\nWhich?\n")
    for args in (["status", D, "--json"], ["show", D, "--json"], ["status", D]):
        command = [sys.executable, "-m", "graphbus_core.cli.main", "negotiate", *args]
        found = subprocess.run(command, capture_output=True, timeout=60, env={**os.environ, "LC_ALL": "C"})
        assert found.returncode == 0, found.stderr
        said = found.stdout.decode("utf-8")
        assert not args[2:] or len(json.loads(said)["issues"]) == 2


def test_what_is_refused_out_of_turn_is_said_to_be_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    """A hand-off's edits do stay in the files."""
    begun()
    for command in (["position", BETA, "1", "--text", "x"], ["new-issue", "x", "--as", BETA]):
        assert negotiate(*command) != 0
        said = capsys.readouterr().err
        assert "Nothing was written" in said
        assert "stays in the files" not in said
    assert negotiate("hand-off", BETA) == 1
    assert "stays in the files" in capsys.readouterr().err


def test_what_is_refused_before_the_turns_is_told_what_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    """In the rigorous form that is the analysis."""
    begun(rigorous=True)
    assert negotiate("position", ALPHA, "1", "--text", "x") == 1
    said = capsys.readouterr().err
    assert f"Write analysis/{ALPHA}.md" in said
    assert "Nothing was written" in said


def test_words_that_are_none_are_bad_usage(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes by a command is told of the command, not of a heading in a file."""
    begun()
    assert negotiate("position", ALPHA, "1", "--text", "  ") == 64
    assert "There are no words in --text" in capsys.readouterr().err
    for given, says in ((b"", "no words in standard input"), (b"\xff", "Standard input is not UTF-8")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        assert negotiate("position", ALPHA, "1") == 64
        assert says in capsys.readouterr().err
    assert negotiate("poll", "") == 64
    assert "NAME" in capsys.readouterr().err


def test_an_issue_that_is_none_is_answered_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    """By every command that takes one."""
    begun()
    for command in (
        ["position", ALPHA, "2", "--text", "x"],
        ["rule", "2", "--text", "x"],
        ["reopen", "human", "2"],
        ["show", "--issue", "2"],
    ):
        assert negotiate(*command) in (1, 64)
        assert "Name one of 01-storage." in capsys.readouterr().err, command


def test_an_issue_filed_without_a_name_says_whose_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Beside the file name, which alone is on standard output."""
    begun()
    assert negotiate("new-issue", "format") == 0
    said = capsys.readouterr()
    assert (said.out, f"in the name of {ALPHA}" in said.err) == ("02-format.md\n", True)
    assert negotiate("new-issue", "place", "--as", ALPHA) == 0
    assert capsys.readouterr() == ("03-place.md\n", "")


def test_a_skip_is_told_to_whom_it_befell_and_to_all_who_look(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until its next turn."""
    now = 1000.0
    monkeypatch.setattr(NegotiationDirectory, "__init__", lambda self, root: _init(self, root, monotonic=lambda: now))
    begun(turn_timeout_s=100)
    now += 101
    assert negotiate("poll", BETA) == 0
    assert negotiate("poll", ALPHA) == 1
    assert "Your turn 1 was skipped (silent for" in capsys.readouterr().out
    assert negotiate("hand-off", ALPHA) == 1
    assert "Your turn 1 was skipped" in capsys.readouterr().err
    for look in ("status", "show"):
        assert negotiate(look) == 0
        assert f"Skipped: turn 1 of {ALPHA}: silent for" in capsys.readouterr().out, look
    assert negotiate("status", "--json") == 0
    assert json.loads(capsys.readouterr().out)["skips"][0]["holder"] == ALPHA
    negotiate("position", BETA, "1", "--text", "Files.")
    negotiate("hand-off", BETA)
    assert "skipped" not in capsys.readouterr().err
    assert negotiate("poll", ALPHA) == 0
    assert "skipped" not in capsys.readouterr().out


def test_show_says_what_was_put_back_and_no_topic_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    """As its help promises."""
    begun()
    (Path(D) / "issues" / "01-storage.md").unlink()
    assert negotiate("show") == 0
    said = capsys.readouterr().out
    assert "Put back: issues/01-storage.md: the file was gone" in said
    assert "(none was given)" in said


@pytest.mark.parametrize("damage", ["link", "folder", "utf-16"])
def test_a_document_that_cannot_be_read_is_not_missing(damage: str) -> None:
    """What it is, and what to put there."""
    where = begun()
    where.write(ALPHA, "1", "Files it is.", "offer")
    where.hand_off(ALPHA)
    where.write(BETA, "1", "Files it is.", status="AGREED")
    final, said = Path(D) / "final.md", ("", "")
    if damage == "link":
        final.symlink_to("/etc/hostname")
        said = ("it is a symbolic link", "Put a plain file in its place.")
    elif damage == "folder":
        final.mkdir()
        said = ("it is a folder", "Put a plain file in its place.")
    else:
        final.write_bytes("Files it is.".encode("utf-16"))
        said = ("line 1 is not UTF-8", "Write it as a plain UTF-8 text.")
    reasons = [r for r in where.finish().reasons if r.file == "final.md"]
    assert [(r.what, r.todo) for r in reasons] == [(f"final.md cannot be read: {said[0]}.", said[1])]


def test_a_position_file_that_is_a_link_is_not_called_no_text() -> None:
    """The advice fits what is wrong."""
    where = begun()
    (Path(D) / "positions" / "01-storage.md").symlink_to("/etc/hostname")
    reasons = [r for r in where.hand_off(ALPHA).reasons if r.file == "positions/01-storage.md"]
    assert reasons[0].todo == "Put a plain file in its place."
