"""One conformance suite for every log and answers store; and what a file does when it is torn, altered or shortened."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from hypothesis import given, settings, strategies as st

from graphbus_core.artifacts.build_ids import create_build_id
from graphbus_core.errors import Locked, LogDamaged
from graphbus_core.logs.jsonl import JsonlAnswers, JsonlLog, LogReader, head_path, inspect_log, read_head, repair_log
from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.logs.negotiation_folder import NegotiationFolder
from graphbus_core.negotiation.core import AnswerRefused, Reply
from graphbus_core.negotiation.proposal import EVENTS
from graphbus_core.negotiation.proposal.events import RoundClosed, RoundStarted, StopRequested

FACTS = [
    RoundStarted(1, ("A", "B")),
    AnswerRefused("1.propose.A", "A", 'a "quoted"\nreason with ünïcode, \u2028 and ,"at":1,"hash":"'),
    RoundClosed(1, 0, 0),
    RoundStarted(2, ("A",)),
    StopRequested("me", "enough \ud800"),
]


def file_log(path, **more):
    """A log in a file, not synced: these tests are about bytes."""
    return JsonlLog(path, EVENTS, "build-1", clock=lambda: 1770.25, durable=False, **more)


@pytest.fixture(params=["memory", "jsonl"])
def log(request, tmp_path):
    """Every store."""
    if request.param == "memory":
        yield MemoryLog()
    else:
        with file_log(tmp_path / "build-1.jsonl") as made:
            yield made


@pytest.fixture(params=["memory", "jsonl"])
def answers(request, tmp_path):
    """Every store."""
    if request.param == "memory":
        yield MemoryAnswers()
    else:
        with JsonlAnswers(tmp_path / "build-1.answers.jsonl", durable=False) as made:
            yield made


def test_a_log_gives_back_what_it_was_given(log):
    """All facts, oldest first, numbered from 1."""
    log.append(FACTS[:2])
    log.append(FACTS[2:])
    assert [entry.event for entry in log] == FACTS
    assert [entry.seq for entry in log] == [1, 2, 3, 4, 5]
    assert len(log) == 5


def test_the_first_reply_wins(answers):
    """It may have cost money."""
    assert answers.get("q") is None
    assert answers.put("q", Reply({"word": "ä \ud83d"})) == Reply({"word": "ä \ud83d"})
    assert answers.put("q", Reply({"word": "late"})) == Reply({"word": "ä \ud83d"})
    assert answers.put("s", Reply(None, "mute")) == Reply(None, "mute")
    assert answers.get("s") == Reply(None, "mute")


def written(path, facts=FACTS):
    """A closed log with facts, each written by itself."""
    with file_log(path) as log:
        for fact in facts:
            log.append([fact])
    return path.read_bytes()


def test_a_log_is_gone_on_with_where_it_ended(tmp_path):
    """Closed and opened again: the same chain."""
    written(tmp_path / "a.jsonl")
    path = tmp_path / "b.jsonl"
    written(path, FACTS[:2])
    with file_log(path) as log:
        log.append(FACTS[2:])
    assert [e.event for e in LogReader(path, EVENTS)] == FACTS
    assert inspect_log(path).hash == inspect_log(tmp_path / "a.jsonl").hash  # times are not in it


def test_a_line_is_readable_json(tmp_path):
    """One fact a line, for `tail -f` and for jq."""
    lines = written(tmp_path / "a.jsonl").splitlines()
    assert json.loads(lines[0])["id"] == "build-1"
    assert json.loads(lines[1])["event"] == {"round": 1, "asked": ["A", "B"], "carried": []}


@pytest.mark.parametrize("keep", [1, 10, -1])
def test_an_unfinished_write_is_cut_off_and_kept_beside(tmp_path, keep):
    """A crash in the middle of a write: what is before it stands, what is after it follows anew."""
    path = tmp_path / "a.jsonl"
    whole = written(path)
    before = whole[: whole.rindex(b"\n", 0, -1) + 1]
    last = whole[len(before) :]
    path.write_bytes(before + last[:keep])
    head_path(path).unlink()  # the head is written after the line
    found = inspect_log(path)
    assert found.damage is not None
    assert (found.damage.unfinished, found.facts) == (True, 4)
    with file_log(path) as log:
        assert len(log) == 4
        log.append(FACTS[4:])
    assert [e.event for e in LogReader(path, EVENTS)] == FACTS
    assert path.with_name("a.jsonl.cut").read_bytes().startswith(last[:keep])


def test_trap_9_a_complete_json_line_without_its_newline_is_still_torn(tmp_path):
    """Otherwise the next line is written onto it."""
    path = tmp_path / "a.jsonl"
    whole = written(path, FACTS[:2])
    head_path(path).unlink()
    path.write_bytes(whole[:-1])
    with file_log(path) as log:
        assert len(log) == 1
        log.append(FACTS[1:3])
    assert [e.event for e in LogReader(path, EVENTS)] == FACTS[:3]


def test_trap_9_holds_for_answers_too(tmp_path):
    """A whole answer without its newline is asked for again."""
    path = tmp_path / "a.answers.jsonl"
    with JsonlAnswers(path, durable=False) as kept:
        kept.put("one", Reply({"a": 1}))
        kept.put("two", Reply({"a": 2}))
    path.write_bytes(path.read_bytes()[:-1])
    with JsonlAnswers(path, durable=False) as kept:
        assert kept.get("two") is None
        kept.put("two", Reply({"a": 3}))
    with JsonlAnswers(path, durable=False) as kept:
        assert (kept.get("one"), kept.get("two")) == (Reply({"a": 1}), Reply({"a": 3}))


def test_an_altered_answer_is_no_answer(tmp_path):
    """It is asked for again, and counted."""
    path = tmp_path / "a.answers.jsonl"
    with JsonlAnswers(path, durable=False) as kept:
        kept.put("one", Reply({"decision": "reject"}))
        kept.put("two", Reply({"decision": "accept"}))
    path.write_bytes(path.read_bytes().replace(b"reject", b"accept"))
    with JsonlAnswers(path, durable=False) as kept:
        assert (kept.get("one"), kept.damaged) == (None, 1)
        assert kept.get("two") == Reply({"decision": "accept"})


def test_a_line_of_another_log_is_detected(tmp_path):
    """Each line sound in itself; they do not follow one another."""
    ours, theirs = written(tmp_path / "a.jsonl"), written(tmp_path / "b.jsonl", FACTS[3:] + FACTS[:3])
    mixed = ours.splitlines(True)[:3] + theirs.splitlines(True)[3:]
    (tmp_path / "a.jsonl").write_bytes(b"".join(mixed))
    found = inspect_log(tmp_path / "a.jsonl")
    assert found.facts == 2
    assert "belongs to another log" in str(found.damage)


def test_a_whole_foreign_log_is_detected_by_the_head(tmp_path):
    """It is sound, but it is not the one that was written here."""
    written(tmp_path / "a.jsonl")
    (tmp_path / "a.jsonl").write_bytes(written(tmp_path / "b.jsonl", FACTS[::-1]))
    with pytest.raises(LogDamaged, match="not the one that its recorded head speaks of"):
        file_log(tmp_path / "a.jsonl")


def test_a_file_that_is_no_log_is_refused(tmp_path):
    """And left alone."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"hello": "world"}\n')
    with pytest.raises(LogDamaged, match="not a log of GraphBus"):
        file_log(path)
    assert path.read_text() == '{"hello": "world"}\n'


def test_a_shortened_log_is_detected_by_its_head(tmp_path):
    """Whole lines that are missing at the end leave a chain that is sound; the head knows better."""
    path = tmp_path / "a.jsonl"
    whole = written(path)
    path.write_bytes(b"".join(whole.splitlines(True)[:-2]))
    with pytest.raises(LogDamaged, match="2 facts shorter than its recorded head"):
        file_log(path)
    path.unlink()
    with pytest.raises(LogDamaged, match="5 facts shorter"):
        file_log(path)


def test_a_repaired_log_keeps_what_was_sound(tmp_path):
    """`graphbus log verify --repair`."""
    path = tmp_path / "a.jsonl"
    whole = written(path)
    path.write_bytes(whole.replace(b'"tabled":0', b'"tabled":7'))
    with pytest.raises(LogDamaged, match="2 facts before it are sound"):
        file_log(path)
    assert repair_log(path) == 2
    with file_log(path) as log:
        assert [e.event for e in log] == FACTS[:2]


@pytest.mark.no_cover
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_damage_is_detected_and_never_misread(tmp_path_factory, data):
    """A flipped bit, a cut, bytes put in: what is read is a prefix of what was written, and the rest is said."""
    path = tmp_path_factory.mktemp("log") / "a.jsonl"
    whole = bytearray(written(path))
    at = data.draw(st.integers(0, len(whole) - 1))
    match data.draw(st.sampled_from(["flip", "cut", "insert", "delete"])):
        case "flip":
            whole[at] ^= 1 << data.draw(st.integers(0, 7))
        case "cut":
            del whole[at:]
        case "insert":
            whole[at:at] = data.draw(st.binary(min_size=1, max_size=9))
        case "delete":
            del whole[at : at + data.draw(st.integers(1, 40))]
    path.write_bytes(bytes(whole))
    found = inspect_log(path)
    assert found.damage is not None
    assert not found.damage.unfinished or found.facts == len(FACTS)
    read = []
    try:
        for entry in LogReader(path, EVENTS):
            read.append(entry.event)
    except LogDamaged:
        pass
    assert read == FACTS[: len(read)]
    assert len(read) == found.facts


def test_every_flipped_bit_of_the_header_is_detected(tmp_path):
    """Its checksum's own digits too: upper case is the same number, and not what was written."""
    path = tmp_path / "a.jsonl"
    whole = written(path)
    for bit in range(8 * (whole.index(b"\n") + 1)):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        assert inspect_log(path).damage is not None, (bit // 8, bit % 8)


def test_readers_read_while_it_grows(tmp_path):
    """Several readers and one writer; an unfinished last line is left for later."""
    path = tmp_path / "a.jsonl"
    reader = LogReader(path, EVENTS)
    late = LogReader(path, EVENTS, after=2)
    assert list(reader) == []
    with file_log(path) as log:
        log.append(FACTS[:2])
        assert [e.event for e in reader] == FACTS[:2]
        with path.open("ab") as file:
            file.write(b'{"seq":3,"kind":"rou')
        assert list(reader) == []
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b"\n") + 1])
    with file_log(path) as log:
        log.append(FACTS[2:])
    assert [e.event for e in reader] == FACTS[2:]
    assert [e.seq for e in late] == [3, 4, 5]


def test_there_is_one_writer(tmp_path):
    """The second is refused and told who has it; readers are not."""
    path = tmp_path / "a.jsonl"
    with file_log(path) as log:
        log.append(FACTS)
        with pytest.raises(Locked, match=str(os.getpid())):
            file_log(path)
        assert len(list(LogReader(path, EVENTS))) == 5
    file_log(path).close()


def test_a_dead_writers_lock_is_taken_over(tmp_path):
    """`kill -9` in the middle of writing: the next one goes on."""
    path = tmp_path / "a.jsonl"
    code = (
        "import sys, os, signal\n"
        "from graphbus_core.logs.jsonl import JsonlLog\n"
        "from graphbus_core.negotiation.proposal import EVENTS\n"
        "from graphbus_core.negotiation.proposal.events import RoundClosed\n"
        f"log = JsonlLog({str(path)!r}, EVENTS, 'build-1')\n"
        "log.append([RoundClosed(1, 0, 0)])\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ}, check=False)
    assert done.returncode == -9
    with file_log(path) as log:
        assert len(log) == 1
        assert read_head(path).seq == 1


def test_a_write_that_fails_closes_the_log(tmp_path, monkeypatch):
    """Nobody goes on with a log that may hold half a step."""
    log = file_log(tmp_path / "a.jsonl")
    log.append(FACTS[:1])
    monkeypatch.setattr(os, "write", lambda fd, data: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        log.append(FACTS[1:2])
    monkeypatch.undo()
    with file_log(tmp_path / "a.jsonl") as again:
        assert len(again) == 1


def test_the_folder_knows_its_builds(tmp_path):
    """Newest last; the unfinished one is the one that --resume goes on with."""
    from datetime import datetime

    store = NegotiationFolder(tmp_path)
    now = datetime(2026, 2, 20, 15, 30, 42)
    assert store.find_newest() is None
    for number, name in enumerate(["build-2026-02-20-153042", *(f"build-2026-02-20-153042-{n}" for n in range(2, 12))]):
        assert create_build_id(tmp_path, now) == name
        with file_log(store.log_path(name)) as log:
            log.append(FACTS[: number + 1])
    assert store.list_builds()[-1] == "build-2026-02-20-153042-11"
    assert store.find_unfinished().build_id == "build-2026-02-20-153042-11"
