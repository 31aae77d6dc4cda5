"""The file of dead letters: shared by runs, torn by crashes, and never a place where hidden fields show."""

import json
import subprocess
import sys

import pytest

from graphbus_core.errors import LogDamaged, UsageError
from graphbus_core.model.message import Event
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.middleware import Redaction
from graphbus_core.runtime.persistence.dead_letters import DeadLetters


def event(number, payload=None):
    return Event(f"event_{number}", "/T", "x", payload if payload is not None else {"n": number})


def ids(letters):
    return [letter.id for letter in letters]


def test_two_runs_of_one_build_lose_no_letter(tmp_path):
    file = tmp_path / "letters"
    runs = [DeadLetters(file=file), DeadLetters(file=file)]
    for number in range(10):
        runs[number % 2].add(event(number), "h", ValueError(str(number)))
    later = DeadLetters(file=file)
    assert ids(later) == [f"dl-{n}" for n in range(1, 11)]
    assert [letter.event["payload"]["n"] for letter in later] == list(range(10))
    assert runs[0].remove("dl-1") == 1  # this run knows nothing of the letters of the other
    assert ids(DeadLetters(file=file)) == [f"dl-{n}" for n in range(2, 11)]
    assert runs[1].remove("dl-1") == 0
    runs[1].purge()
    assert ids(DeadLetters(file=file)) == ["dl-3", "dl-5", "dl-7", "dl-9"]
    runs[0].add(event(11), "h", ValueError("x"))
    assert ids(DeadLetters(file=file))[-1] == "dl-11"


def test_processes_that_fail_at_once_lose_no_letter(tmp_path):
    """And together they keep to the bound, however they take turns."""
    code = (
        "import sys\n"
        "from graphbus_core.model.message import Event\n"
        "from graphbus_core.runtime.persistence.dead_letters import DeadLetters\n"
        "letters = DeadLetters(20, sys.argv[1])\n"
        "for n in range(30):\n"
        "    letters.add(Event(f'event_{sys.argv[2]}_{n}', '/T', 'x', {}), 'h', 'e')\n"
    )
    file = tmp_path / "letters"
    started = [subprocess.Popen([sys.executable, "-c", code, str(file), str(i)]) for i in range(3)]
    try:
        assert [one.wait(60) for one in started] == [0, 0, 0]
    finally:
        for one in started:
            one.kill()
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert len({line["id"] for line in lines}) == len(lines)
    assert lines[-1]["id"] == "dl-90"
    assert 20 <= len(lines) <= 43  # twice the bound, and one that each may have under way


def test_ids_that_an_earlier_version_gave_twice_are_told_apart(tmp_path):
    file = tmp_path / "letters"
    DeadLetters(file=file).add(event(1), "h", "e")
    old = json.loads(file.read_text())
    del old["redacted"]
    file.write_text("".join(json.dumps({**old, "event": event(n).to_dict()}) + "\n" for n in (1, 2, 3)))
    (tmp_path / "letters.lock").unlink()
    assert [(one.id, one.event["payload"]["n"]) for one in DeadLetters(file=file)] == [
        ("dl-1", 1),
        ("dl-2", 2),
        ("dl-3", 3),
    ]
    DeadLetters(file=file).add(event(4), "h", "e")
    assert ids(DeadLetters(file=file)) == ["dl-1", "dl-2", "dl-3", "dl-4"]


def test_a_torn_line_is_left_out_said_and_cut_off(tmp_path):
    file = tmp_path / "letters"
    DeadLetters(file=file).add(event(1), "h", "e")
    whole = file.read_bytes()
    file.write_bytes(whole + whole[:50])
    letters = DeadLetters(file=file)
    assert letters.torn
    assert ids(letters) == ["dl-1"]
    letters.add(event(2), "h", "e")
    again = DeadLetters(file=file)
    assert not again.torn
    assert ids(again) == ["dl-1", "dl-2"]
    file.write_bytes(b"nonsense\n" + whole)
    with pytest.raises(LogDamaged, match="line 1"):
        DeadLetters(file=file)


def test_a_write_that_fails_halfway_leaves_no_half_a_line(tmp_path, monkeypatch):
    import os

    file = tmp_path / "letters"
    letters = DeadLetters(file=file)
    letters.add(event(1), "h", "e")
    whole, write, calls = file.read_bytes(), os.write, []

    def full(fd, data):
        calls.append(1)
        if len(calls) > 1:
            raise OSError(27, "File too large")
        return write(fd, data[:10])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="File too large"):
        letters.add(event(2), "h", "e")
    monkeypatch.undo()
    assert file.read_bytes() == whole
    assert (len(letters), letters.unstored) == (2, 1)


@pytest.mark.parametrize("payload", [{(1, 2): 3}, {"x": object()}, {"x": {1}}, {"x": float("nan")}, {"x": "\ud800"}])
def test_a_payload_that_is_no_json_is_kept_as_text(tmp_path, payload):
    file = tmp_path / "letters"
    DeadLetters(file=file).add(event(1, payload), "h", "e")
    (letter,) = DeadLetters(file=file)
    assert list(letter.event["payload"]) == [k if isinstance(k, str) else repr(k) for k in payload]


class TestHiddenFields:
    def failing(self, tmp_path, payload, says):
        bus = MessageBus(dead_letters=DeadLetters(file=tmp_path / "letters"))
        bus.use(Redaction("password"))

        def handler(event):
            raise ValueError(says)

        bus.subscribe("/T", handler, "h")
        bus.publish("/T", payload)
        return bus

    @pytest.mark.parametrize("with_flag", [True, False])
    def test_a_letter_with_a_hidden_field_is_not_delivered_again(self, tmp_path, with_flag):
        self.failing(tmp_path, {"user": "u", "password": "hunter2"}, "no")
        file = tmp_path / "letters"
        if not with_flag:  # as an earlier version wrote it
            data = json.loads(file.read_text())
            del data["redacted"]
            file.write_text(json.dumps(data) + "\n")
        bus = MessageBus(dead_letters=DeadLetters(file=file))
        got = []
        bus.subscribe("/T", got.append, "h")
        (letter,) = bus.dead_letters
        with pytest.raises(UsageError, match=r"dl-1.*real values"):
            bus.retry_dead_letter(letter)
        assert (got, len(bus.dead_letters)) == ([], 1)

    def test_a_letter_without_one_is(self, tmp_path):
        bus = self.failing(tmp_path, {"user": "u"}, "no")
        (letter,) = bus.dead_letters
        assert not letter.redacted
        assert not bus.retry_dead_letter(letter)

    @pytest.mark.parametrize(
        ("value", "says", "kept"),
        [
            ("hunter2", 'password: must be integer, got "hunter2".', "password: must be integer, got ***."),
            ("ä" * 80, f'got "{"ä" * 59}…', "got ***…"),
            (7, "7 is not in 77", "*** is not in 77"),
            ({"a": "hunter2"}, "bad hunter2", "bad ***"),
        ],
    )
    def test_its_error_does_not_show_it_either(self, tmp_path, value, says, kept):
        bus = self.failing(tmp_path, {"password": value}, says)
        assert [letter.error for letter in bus.dead_letters] == [kept]
