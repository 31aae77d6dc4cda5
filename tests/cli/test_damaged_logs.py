"""A log that is torn, altered, shortened, foreign or bereft of what stands beside it: every command says so."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.config import SafetyConfig
from graphbus_core.errors import LogDamaged
from graphbus_core.logs.jsonl import JsonlLog
from graphbus_core.logs.negotiation_folder import NegotiationFolder
from graphbus_core.negotiation.core import Driver, Session
from graphbus_core.negotiation.proposal import EVENTS, ProposalConfig, ProposalProtocol
from graphbus_core.services.queries.negotiations import NegotiationShelf
from tests.negotiation.paper import Paper, Seat, add, pipeline, proposals, propose, script

AGENTS, LINKS = pipeline()
BUILD = "build-2026-02-20-153042"
OTHER = "build-2026-02-21-090000"


def keep(folder: Path, build_id: str) -> None:
    """A build's negotiation on disk, in which A adds `src`."""
    paper = Paper(AGENTS, LINKS)
    config = ProposalConfig(tuple(paper.agents.values()), LINKS, safety=SafetyConfig(max_negotiation_rounds=1))
    log, answers = NegotiationFolder(folder).open(build_id, EVENTS)
    with log, answers:
        seats = {a.name: Seat(script({"A.propose": proposals(propose(add("A", "make", "src")))})) for a in AGENTS}
        asyncio.run(Driver(seats, answers, paper.apply).run(Session(ProposalProtocol(), config, log)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    keep(tmp_path, BUILD)
    return tmp_path


@pytest.fixture
def log(folder: Path) -> Path:
    return NegotiationFolder(folder).log_path(BUILD)


def run(capsys, folder: Path, *args: object) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    code = main([*(str(a) for a in args), "--dir", str(folder)])
    return (code, *capsys.readouterr())


def cut_lines(log: Path) -> None:
    log.write_bytes(b"".join(log.read_bytes().splitlines(True)[:-3]))


def flip(log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b'"negotiation_ended"', b'"negotiation_undid"', 1))


def tear(log: Path) -> None:
    log.write_bytes(log.read_bytes()[:-40])


def empty(log: Path) -> None:
    log.write_bytes(b"")


def lose_head_and_end(log: Path) -> None:
    log.with_name(log.name + ".head").unlink()
    cut_lines(log)


def spoil_head_and_end(log: Path) -> None:
    log.with_name(log.name + ".head").write_bytes(b"?" * 128)
    cut_lines(log)


def another_of_that_name(log: Path) -> None:
    keep(log.parent.parent / "elsewhere", OTHER)
    source = NegotiationFolder(log.parent.parent / "elsewhere").log_path(OTHER)
    for suffix in ("", ".head"):
        shutil.copy(f"{source}{suffix}", f"{log}{suffix}")


def consent(log: Path) -> None:
    for path in log.parent.glob("*"):
        path.unlink()
    JsonlLog(log, {}, BUILD, "consent").close()


DAMAGE = {
    cut_lines: "3 facts shorter than its recorded head",
    flip: "altered",
    tear: "1 facts shorter",
    empty: "is empty",
    lose_head_and_end: "is missing, so nobody can say",
    spoil_head_and_end: "cannot be read, so nobody can say",
    another_of_that_name: f"is the log of {OTHER} under another name",
    consent: "is the log of a consent negotiation",
}


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda d: d.__name__)
def test_every_command_says_what_is_wrong(folder, log, capsys, damage):
    """On stderr and by the exit code, whatever it can still show; `verify` on stdout."""
    damage(log)
    says = DAMAGE[damage]
    code, out, _ = run(capsys, folder, "log", "verify")
    assert (code, says in out) == (1, True), out
    found = json.loads(run(capsys, folder, "log", "verify", "--json")[1])
    assert any(says in one for one in found["findings"])
    for args in (("inspect-negotiation",), ("log", "export"), ("log", "export", "--facts"), ("log", "replay")):
        code, _, err = run(capsys, folder, *args)
        assert (args, code, says in err) == (args, 1, True), err
    code, out, err = run(capsys, folder, "why", "A.make.src")
    assert says in err
    assert "as its author wrote it" not in out


@pytest.mark.parametrize("damage", [cut_lines, flip, tear], ids=lambda d: d.__name__)
def test_what_is_sound_is_shown_and_kept(folder, log, capsys, damage):
    """The proposal stands before the damage; a repair keeps it, and the log is whole from then on."""
    damage(log)
    assert "add field A.make.output.src" in run(capsys, folder, "inspect-negotiation")[1]
    code, out, _ = run(capsys, folder, "log", "verify", "--repair")
    assert (code, "Taken as it stands" in out) == (0, True), out
    assert run(capsys, folder, "log", "verify")[0] == 0
    assert "add field A.make.output.src" in run(capsys, folder, "inspect-negotiation")[1]


def test_an_interrupted_write_is_said_and_is_no_fault(folder, log, capsys):
    """Half a line after all that the head speaks of: a build that was killed, or one that is writing."""
    log.write_bytes(log.read_bytes() + b'{"seq":')
    code, out, err = run(capsys, folder, "inspect-negotiation")
    assert (code, "unfinished write" in err, "A.make" in out) == (0, True, True)
    assert run(capsys, folder, "log", "verify")[0] == 1


def test_a_log_without_head_may_be_told_to_stand(folder, log, capsys):
    """A repair writes the head anew; nothing is cut."""
    before = log.read_bytes()
    log.with_name(log.name + ".head").unlink()
    assert run(capsys, folder, "log", "verify")[0] == 1
    assert run(capsys, folder, "log", "verify", "--repair")[0] == 0
    assert run(capsys, folder, "log", "verify")[0] == 0
    assert log.read_bytes() == before


def test_a_copy_elsewhere_needs_neither_head_nor_answers(folder, log, tmp_path, capsys):
    """Sent with a report of a bug, under any name: it ended, so it is whole."""
    copy = tmp_path / "sent.jsonl"
    shutil.copy(log, copy)
    assert run(capsys, folder, "log", "verify", copy)[0] == 0
    code, _, err = run(capsys, folder, "inspect-negotiation", copy)
    assert (code, err) == (0, "")
    assert run(capsys, folder, "log", "replay", copy)[0] == 0
    cut_lines(copy)
    assert run(capsys, folder, "log", "verify", copy)[0] == 1


def test_answers_that_are_gone_are_missed(folder, log, capsys):
    """A replay rests on them, so without them it proves nothing about the log."""
    answers = NegotiationFolder(folder).answers_path(BUILD)
    lines = answers.read_bytes().splitlines(True)
    assert run(capsys, folder, "log", "replay")[0] == 0
    answers.write_bytes(b"".join(line for line in lines if b"1.propose.A" not in line))
    code, out, _ = run(capsys, folder, "log", "verify")
    assert (code, "1 answers that the log rests on are not there (1.propose.A)" in out) == (1, True)
    answers.unlink()
    code, out, _ = run(capsys, folder, "log", "verify")
    assert (code, "answers.jsonl is missing" in out) == (1, True)
    code, _, err = run(capsys, folder, "log", "replay")
    assert (code, "answers.jsonl is missing" in err) == (1, True)


def test_a_repair_leaves_alone_what_is_no_log(folder, log, tmp_path, capsys):
    """The answers of a build, any other file, an empty one: exit code 2, every byte as it was."""
    (tmp_path / "notes.jsonl").write_text('{"a": 1}\n')
    (tmp_path / "none.jsonl").write_text("")
    for path in (NegotiationFolder(folder).answers_path(BUILD), tmp_path / "notes.jsonl", tmp_path / "none.jsonl"):
        before = path.read_bytes()
        code, out, _ = run(capsys, folder, "log", "verify", path)
        assert (code, "--repair" in out) == (1, False)
        code, _, err = run(capsys, folder, "log", "verify", path, "--repair")
        assert (code, "nothing to repair" in err) == (2, True)
        assert path.read_bytes() == before
        assert not path.with_name(path.name + ".head").exists()


def test_a_build_does_not_go_on_with_the_log_of_another(folder, log):
    """It would write its facts behind those of somebody else."""
    another_of_that_name(log)
    with pytest.raises(LogDamaged, match=f"is the log of {OTHER}"):
        NegotiationFolder(folder).open(BUILD, EVENTS)


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda d: d.__name__)
def test_one_damaged_log_does_not_hide_the_others(folder, log, damage):
    """What the page shows: all of them, the damaged one with what is wrong and what is sound."""
    damage(log)
    keep(folder, OTHER)
    shelf = NegotiationShelf(folder)
    told = {one["id"]: one for one in shelf.list_negotiations()}
    assert DAMAGE[damage] in told[BUILD]["damage"]
    assert (told[BUILD]["state"], told[OTHER]["damage"]) == ("damaged", None)
    assert shelf.get(BUILD)["log"]["build_id"] == BUILD
    assert isinstance(shelf.find_proposals("A.make.src"), list)
