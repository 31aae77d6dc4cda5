"""One suite for all that is written: every call failed in turn, torn ends, killed writers, a disk that is full.

`WHOLE` and `GROWING` are the package's writers: a new one is added there, and is held to the same.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.analysis.scan.drafts import ScanCache, ScannedFile
from graphbus_core.errors import GraphBusError, Locked, RuntimeFault
from graphbus_core.logs.jsonl import JsonlAnswers, read_answers
from graphbus_core.model.message import Event
from graphbus_core.negotiation.core import Ask, Reply
from graphbus_core.negotiation.document import events
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.loader import CodeCache
from graphbus_core.runtime.persistence import run_store
from graphbus_core.runtime.persistence.dead_letters import DeadLetter, DeadLetterFile
from graphbus_core.runtime.persistence.journal import Journal, read_journal
from graphbus_core.sessions.consent.elicitation import SeatAnswerFile
from graphbus_core.sessions.consent.files import CommsLedger, write_document
from graphbus_core.sessions.document import files as paper
from graphbus_core.sessions.document.folder import DirectoryLog
from graphbus_core.storage import atomic_files, locks
from graphbus_core.storage.locks import hold_build_lock, hold_reading_lock
from tests.storage.faults import FaultyOs, each_fault, killed, open_files, with_room

OLD, NEW = "old " * 50, "new " * 700


class Kept(GraphBusNode):
    """A node that keeps one text."""

    text = ""

    def get_state(self) -> dict[str, Any]:
        return {"text": self.text}


def _state(path: Path, text: str) -> None:
    node = Kept()
    node.text = text
    run_store.save_state(path, {"Kept": node})


def _letters(path: Path, text: str) -> None:
    letter = DeadLetter("dl-1", "/t", "s", "handler", text, "E", {"event_id": text[:3]})
    DeadLetterFile(path)._replace([letter])


def _code(path: Path, text: str) -> None:
    import graphbus_core.runtime.loader as module

    cache = CodeCache(path.parent)
    cache.file = path
    for number in range(module.MIN_CACHED_MODULES):
        cache.compile(f"x = {text!r}".encode(), f"{text[:3]}{number}", "m.py")
    cache.save()


def _scan(path: Path, text: str) -> None:
    cache = ScanCache(path, "stamp")
    cache.store(ScannedFile("a.py", text, "a", [], [], {}))
    cache.save()


# Each puts a text where a path says; whoever reads sees all of the one or all of the other.
WHOLE: dict[str, Callable[[Path, str], object]] = {
    "write_atomic": lambda path, text: atomic_files.write_atomic(path, text.encode()),
    "write_atomic, durable": lambda path, text: atomic_files.write_atomic(path, text.encode(), durable=True),
    "the state of nodes": _state,
    "dead letters": _letters,
    "compiled code": _code,
    "the scan cache": _scan,
    "a consent document": write_document,
    "a file of a negotiation": lambda path, text: paper.write(path, text, path.parent),
}


@pytest.mark.parametrize("write", WHOLE.values(), ids=WHOLE)
@pytest.mark.parametrize("how", [{}, {"short": True}, {"then_all": True}], ids=["full", "short", "dead"])
def test_a_fault_leaves_the_old_file_or_the_new_one(
    write: Callable[[Path, str], object], how: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever call fails: no part of a file, no file beside it (but where nothing can be removed), no descriptor."""
    write(tmp_path / "new", NEW)
    new = (tmp_path / "new").read_bytes()
    place = tmp_path / "place"
    place.mkdir()

    def run(disk: FaultyOs) -> bool:
        for file in place.iterdir():
            file.unlink()
        write(place / "file", OLD)
        run.old = (place / "file").read_bytes()  # type: ignore[attr-defined]
        run.files = open_files()  # type: ignore[attr-defined]
        with monkeypatch.context() as m:
            m.setattr(atomic_files, "os", disk)
            m.setattr(atomic_files, "os", disk)
            try:
                write(place / "file", NEW)
            except (OSError, GraphBusError) as e:
                if isinstance(e, OSError):
                    run.named.add(e.filename)  # type: ignore[attr-defined]
                return False
            return True

    run.named = set()  # type: ignore[attr-defined]
    for disk in each_fault(run, **how):
        assert run.named <= {str(place / "file")}  # type: ignore[attr-defined]
        seen = (place / "file").read_bytes()
        assert seen in (run.old, new), (disk.calls, seen[:40])  # type: ignore[attr-defined]
        if "unlink" not in disk.calls[disk.at :] or not disk.then_all:
            left = [p.name for p in place.iterdir()]
            assert left == ["file"] or disk.calls[disk.at] == "unlink", (disk.calls, left)
        assert open_files() == run.files, disk.calls  # type: ignore[attr-defined]


def test_a_first_file_is_there_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`put_new` puts nothing in somebody's place, and a fault leaves nothing."""
    path = tmp_path / "file"

    def run(disk: FaultyOs) -> bool:
        path.unlink(missing_ok=True)
        with monkeypatch.context() as m:
            m.setattr(atomic_files, "os", disk)
            try:
                return atomic_files.write_new(path, b"mine")
            except OSError:
                return False

    for disk in each_fault(run):
        assert not path.exists() or path.read_bytes() == b"mine"
        assert disk.calls[disk.at] == "unlink" or len(list(tmp_path.iterdir())) == path.exists()
    (tmp_path / "2").mkdir()
    (tmp_path / "2" / "file").write_bytes(b"theirs")
    assert atomic_files.write_new(tmp_path / "2" / "file", b"mine") is False
    assert [p.read_bytes() for p in (tmp_path / "2").iterdir()] == [b"theirs"]


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    """The temporary name is not longer than the file system allows."""
    atomic_files.write_atomic(tmp_path / ("n" * 255), b"x")
    assert [len(p.name) for p in tmp_path.iterdir()] == [255]


def test_rights_are_those_of_any_new_file(tmp_path: Path) -> None:
    """The umask decides, as for `open`."""
    old = os.umask(0o027)
    try:
        atomic_files.write_atomic(tmp_path / "f", b"x")
    finally:
        os.umask(old)
    assert (tmp_path / "f").stat().st_mode & 0o777 == 0o640


WRITES_FOR_EVER = """
import sys
from graphbus_core.storage.atomic_files import write_atomic
texts = [bytes([65 + n]) * (200_000 + n) for n in range(4)]
write_atomic(sys.argv[1], texts[0])
print("go", flush=True)
while True:
    for text in texts:
        write_atomic(sys.argv[1], text, durable=sys.argv[2] == "durable")
"""


@pytest.mark.parametrize("durable", ["durable", "quick"])
def test_a_killed_writer_leaves_a_whole_file(tmp_path: Path, durable: str) -> None:
    """Of one letter, and of the length that goes with it."""
    chance = random.Random(7)
    for _ in range(5):
        killed(WRITES_FOR_EVER, str(tmp_path / "f"), durable, after=b"go", wait_s=chance.uniform(0.0, 0.05))
        seen = (tmp_path / "f").read_bytes()
        assert seen == seen[:1] * (200_000 + seen[0] - 65)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """The kernel takes a part and then says no."""
    (tmp_path / "f").write_bytes(b"old")
    program = (
        "import sys; from graphbus_core.storage.atomic_files import write_atomic\n"
        "try: write_atomic(sys.argv[1], b'n' * 9000)\n"
        "except OSError as e: print(e.filename, e.strerror)"
    )
    assert with_room(4096, program, str(tmp_path / "f")) == f"{tmp_path / 'f'} File too large"
    assert [p.read_bytes() for p in tmp_path.iterdir()] == [b"old"]


# ---- files that grow


def _journal(path: Path, number: int) -> None:
    journal = Journal(path, durable=number % 2 == 1)
    try:
        journal.write_event(Event(f"e{number}", "/t", "s", {"n": number}))
    finally:
        journal.close()


def _journal_read(path: Path) -> list[int]:
    return [record.data["payload"]["n"] for record in read_journal(path)]


def _answer(path: Path, number: int) -> None:
    answers = JsonlAnswers(path)
    try:
        answers.put(f"q{number}", Reply({"n": number}))
    finally:
        answers.close()


def _answers_read(path: Path) -> list[int]:
    replies, damaged, _ = read_answers(path)
    assert damaged == 0
    return [reply.body["n"] for reply in replies.values() if reply.body]


def _letter(path: Path, number: int) -> None:
    DeadLetterFile(path).append(DeadLetter(f"dl-{number}", "/t", "s", "handler", "e", "E", {"event_id": str(number)}))


def _seat(path: Path, number: int) -> None:
    SeatAnswerFile(path).save(Ask(f"q{number}", "Ann", "compare", {"text": "this or that?"}), {"n": number})


def _fact(path: Path, number: int) -> None:
    log = DirectoryLog(path, events.EVENTS)
    log.refresh()
    log.append([events.Explained("001", str(number))])
    log.flush()


def _facts_read(path: Path) -> list[int]:
    log = DirectoryLog(path, events.EVENTS)
    log.refresh()
    return [int(entry.event.to_dict()["text"]) for entry in log]


def _block(path: Path, number: int) -> None:
    CommsLedger(path).append(f"[N - {number}]\nsaid {number}\n")


def _blocks_read(path: Path) -> list[int]:
    if not path.exists():
        return []
    blocks = [block for block in path.read_text().split("\n\n") if block.strip()]
    found = [int(block.split("\n")[1].split()[1]) for block in blocks]
    assert [f"[N - {n}]\nsaid {n}" for n in found] == [block.strip() for block in blocks]
    return found


# Each adds one thing with a number; and says which numbers there are.
GROWING: dict[str, tuple[Callable[[Path, int], None], Callable[[Path], list[int]]]] = {
    "the journal of a run": (_journal, _journal_read),
    "answers": (_answer, _answers_read),
    "dead letters": (_letter, lambda path: [int(i[3:]) for i in DeadLetterFile(path).read_all()]),
    "answers under seal": (_seat, lambda path: [answer["n"] for answer in SeatAnswerFile(path).kept.values()]),
    "the log of a directory": (_fact, _facts_read),
    "a consent ledger": (_block, _blocks_read),
}


@pytest.mark.parametrize("name", GROWING)
@pytest.mark.parametrize("how", [{}, {"short": True}], ids=["full", "short"])
def test_a_line_is_added_or_not(
    name: str, how: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever call fails: what stood there stands, half a line is nowhere, and the next line can be read."""
    add, read = GROWING[name]
    path = tmp_path / "file"

    def run(disk: FaultyOs) -> bool:
        for file in tmp_path.iterdir():
            file.unlink()
        add(path, 1)
        run.files = open_files()  # type: ignore[attr-defined]
        with monkeypatch.context() as m:
            m.setattr(atomic_files, "os", disk)
            m.setattr(locks, "os", disk)
            try:
                add(path, 2)
            except (OSError, GraphBusError):
                return False
            return True

    for disk in each_fault(run, **how):
        assert read(path) in ([1], [1, 2]), disk.calls
        add(path, 3)
        assert read(path)[-1] == 3, disk.calls
        assert open_files() == run.files, disk.calls  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", GROWING)
def test_a_torn_end_is_cut_off_by_the_next_line(name: str, tmp_path: Path) -> None:
    """Wherever a kill tore the last write, the first line stands and the third follows it."""
    add, read = GROWING[name]
    add(tmp_path / "one", 1)
    start = (tmp_path / "one").stat().st_size
    add(tmp_path / "one", 2)
    content = (tmp_path / "one").read_bytes()
    for end in range(start, len(content)):
        path = tmp_path / f"torn{end}"
        path.write_bytes(content[:end])
        if name == "a consent ledger":
            continue  # people write it too: what stands there is never cut
        assert read(path) == [1], end
        add(path, 3)
        assert read(path) == [1, 3], end


def test_each_whole_line_is_given_with_its_number_and_place(tmp_path: Path) -> None:
    """Line ends are newlines alone; a torn end is passed over, and whoever reads on is told where they stand."""
    path = tmp_path / "file"
    path.write_bytes(b"head\n1\r\x0c\xc2\x85\n\n{}")
    with path.open("rb") as file:
        assert list(atomic_files.iter_whole_lines(file)) == [
            (1, 0, b"head\n"),
            (2, 5, b"1\r\x0c\xc2\x85\n"),
            (3, 11, b"\n"),
        ]
        file.seek(5)
        assert list(atomic_files.iter_whole_lines(file, 2, 5))[-1] == (3, 11, b"\n")


def test_answers_of_an_earlier_edition_with_a_closed_torn_line_are_read(tmp_path: Path) -> None:
    """It put a newline behind what a kill had torn, and wrote on: the torn one is asked again, the others stand."""
    path = tmp_path / "Ann.jsonl"
    _seat(path, 1)
    path.write_bytes(path.read_bytes() + b'{"ask": "q2", "te\n"a text"\n[]\n\xff\n')
    _seat(path, 3)
    assert list(SeatAnswerFile(path).kept) == ["q1", "q3"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_journal_on_a_full_disk_says_so_and_holds_whole_lines(tmp_path: Path) -> None:
    """The kernel's limit, in the middle of a line."""
    program = (
        "import sys; from graphbus_core.runtime.persistence.journal import Journal\n"
        "from graphbus_core.model.message import Event\n"
        "journal = Journal(sys.argv[1])\n"
        "for n in range(99):\n"
        "    try: journal.write_event(Event(f'e{n}', '/t', 's', {'n': n, 'pad': 'x' * 200}))\n"
        "    except Exception as e: print(n, e); break\n"
    )
    said = with_room(5000, program, str(tmp_path / "j"))
    assert said.endswith("cannot be written: File too large.")
    assert _journal_read(tmp_path / "j") == list(range(int(said.split()[0])))
    assert (tmp_path / "j").read_bytes().endswith(b"\n")


def test_the_whole_part_is_found_over_long_lines(tmp_path: Path) -> None:
    """Also where the last newline is megabytes before the end."""
    for before, torn in ((b"", b""), (b"", b"x" * 10), (b"a\n", b"x" * 200_000), (b"a" * 200_000 + b"\n", b"")):
        (tmp_path / "f").write_bytes(before + torn)
        fd = atomic_files.open_lines(tmp_path / "f")
        try:
            assert atomic_files.measure_whole_size(fd) == atomic_files.cut_torn(fd) == len(before)
        finally:
            os.close(fd)
        assert (tmp_path / "f").read_bytes() == before


def test_what_is_cut_off_is_kept_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault between keeping and cutting doubles the evidence; it never loses it."""
    path = tmp_path / "log"

    def run(disk: FaultyOs) -> bool:
        path.write_bytes(b"sound\ntorn")
        (tmp_path / "log.cut").unlink(missing_ok=True)
        with monkeypatch.context() as m:
            m.setattr(atomic_files, "os", disk)
            try:
                atomic_files.cut_off(path, 6)
            except OSError:
                return False
        return True

    for _ in each_fault(run):
        kept = (tmp_path / "log.cut").read_bytes() if (tmp_path / "log.cut").exists() else b""
        assert path.read_bytes() == b"sound\ntorn" or (path.read_bytes(), kept) == (b"sound\n", b"torn\n")
    assert (path.read_bytes(), (tmp_path / "log.cut").read_bytes()) == (b"sound\n", b"torn\n")


# ---- locks

HOLDS = """
import sys, time
from graphbus_core.storage.locks import hold_lock, write_holder
with hold_lock(sys.argv[1], str) as fd:
    write_holder(fd)
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    """The system lets go of its lock; what it signed stays, and stops nobody."""
    killed(HOLDS, str(tmp_path / "lock"), after=b"held")
    with locks.hold_lock(tmp_path / "lock", str) as fd:
        assert locks.read_holder(fd).startswith("process ")


def test_who_waits_is_told_the_holder_and_calls_meanwhile(tmp_path: Path) -> None:
    """`waiting` is called again and again; the message has the name that was signed."""
    called: list[int] = []
    with locks.hold_lock(tmp_path / "lock", str) as fd:
        locks.write_holder(fd, "me")
        with pytest.raises(Locked, match=r"^held by me$"):
            locks.acquire_lock(tmp_path / "lock", "held by {}".format, wait_s=1.0, waiting=lambda: called.append(1))
        before = open_files()
        with pytest.raises(Locked):
            locks.acquire_lock(tmp_path / "lock", str)
        assert open_files() == before
    assert len(called) > 2


def test_shared_locks_go_together_and_an_exclusive_one_alone(tmp_path: Path) -> None:
    """Readers beside readers, no writer beside anybody."""
    both = locks.hold_lock(tmp_path / "l", str, shared=True), locks.hold_lock(tmp_path / "l", str, shared=True)
    with both[0], both[1], pytest.raises(Locked):
        locks.acquire_lock(tmp_path / "l", str)
    with locks.hold_lock(tmp_path / "l", str), pytest.raises(Locked):
        locks.acquire_lock(tmp_path / "l", str, shared=True)


def test_a_lock_that_was_deleted_meanwhile_is_taken_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock on a file that has no name any more keeps nobody out."""
    path, real = tmp_path / "lock", locks.try_lock
    path.write_text("")

    def take_and_lose(fd: int, **how: Any) -> bool:
        monkeypatch.setattr(locks, "try_lock", real)
        path.unlink()
        return real(fd, **how)

    monkeypatch.setattr(locks, "try_lock", take_and_lose)
    with locks.hold_lock(path, str) as fd:
        assert os.fstat(fd).st_ino == path.stat().st_ino
        with pytest.raises(Locked):
            locks.acquire_lock(path, str)


def test_a_fault_while_locking_leaks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No descriptor stays, so no lock does."""
    before = open_files()

    def run(disk: FaultyOs) -> bool:
        with monkeypatch.context() as m:
            m.setattr(locks, "os", disk)
            try:
                with locks.hold_lock(tmp_path / "l", str) as fd:
                    locks.write_holder(fd)
            except OSError:
                return False
        return True

    for _ in each_fault(run):
        assert open_files() == before
        with locks.hold_lock(tmp_path / "l", str):
            pass


def test_a_project_is_built_by_one_and_read_by_many(tmp_path: Path) -> None:
    """Who comes second is told who is first."""
    with hold_reading_lock(tmp_path), hold_reading_lock(tmp_path):
        assert list(tmp_path.iterdir()) == []  # nothing is written where nobody negotiated
    with hold_build_lock(tmp_path):
        with pytest.raises(Locked, match=f"process {os.getpid()}"), hold_build_lock(tmp_path):
            pass
        with pytest.raises(Locked, match=f"process {os.getpid()}"), hold_reading_lock(tmp_path):
            pass
    with hold_reading_lock(tmp_path), hold_reading_lock(tmp_path), pytest.raises(Locked), hold_build_lock(tmp_path):
        pass


def test_evidence_of_a_damaged_negotiation_is_on_the_disk_before_it_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault while the copy is made leaves the log as it is."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"not a log\n")
    with monkeypatch.context() as m:
        m.setattr(atomic_files, "os", FaultyOs(2))
        with pytest.raises(OSError):
            DirectoryLog(path, {}).salvage()
    assert path.read_bytes() == b"not a log\n"
    aside = DirectoryLog(path, {}).salvage()
    assert aside is not None
    assert aside.read_bytes() == b"not a log\n"


def test_a_saved_state_names_its_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was saved before stands, and the message says so."""
    _state(tmp_path / "s.json", OLD)
    monkeypatch.setattr(atomic_files, "os", FaultyOs(1))
    with pytest.raises(RuntimeFault, match="What was saved before stands"):
        _state(tmp_path / "s.json", NEW)
    assert json.loads((tmp_path / "s.json").read_text())["nodes"]["Kept"]["text"] == OLD
