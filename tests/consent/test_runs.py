"""Runs on disk and the command: kill and resume, the ledger under concurrent processes, verify, JSON."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.main import main
from graphbus_core.errors import UsageError
from graphbus_core.logs.jsonl import JsonlLog
from graphbus_core.negotiation.consent.events import EVENTS
from graphbus_core.sessions import consent
from graphbus_core.sessions.consent.files import CommsLedger, Run, Runs
from tests import forking
from tests.consent.worlds import ROOT

STORAGE = ROOT / "examples" / "consent" / "storage.yaml"
SESSION = ROOT / "examples" / "consent" / "session.md"


class Killed(BaseException):
    """As SIGKILL: nothing after it runs."""


def facts(run: Run) -> list[Any]:
    """What the log holds."""
    return [e.event for e in JsonlLog.open_reader(run.log, EVENTS)]


def test_killed_at_any_fact_and_resumed_it_ends_the_same(tmp_path: Path) -> None:
    """Same facts, one ledger without a block twice or missing, no answer asked for again."""
    request = consent.Request(str(STORAGE), preferences="private", seed=3, max_turns=60, seal="the same")
    whole = consent.run(consent.prepare(request))
    for stop in range(1, len(whole.events), 3):
        folder = tmp_path / str(stop)
        with_ledger = consent.Request(**{**vars(request), "comms": str(folder / "comms.md")})
        run = Run(folder / "run")
        seen = 0

        def dying(event: Any, stop: int = stop) -> None:
            nonlocal seen
            seen += 1
            if seen == stop:
                raise Killed

        with pytest.raises(Killed):
            consent.run(consent.prepare(with_ledger), run, dying)
        consent.run(consent.resume(run), run)
        assert facts(run) == list(whole.events)
        said = (folder / "comms.md").read_text()
        assert len(re.findall(r"^\[PROPOSAL", said, re.M)) == sum(e.kind == "proposal_tabled" for e in whole.events)
        assert len(re.findall(r"^\[CONSENT - ", said, re.M)) == sum(e.kind == "consented" for e in whole.events)
        assert said.count("SKILL: negotiation") == 1
        consent.run(consent.resume(run), run)
        assert (folder / "comms.md").read_text() == said


def test_a_scenario_that_changed_is_not_resumed(tmp_path: Path) -> None:
    mine = tmp_path / "s.yaml"
    mine.write_text(STORAGE.read_text())
    run = Run(tmp_path / "run")
    consent.run(consent.prepare(str(mine)), run)
    mine.write_text(STORAGE.read_text().replace("minimum: 45", "minimum: 46"))
    with pytest.raises(UsageError, match="not what"):
        consent.resume(run)


def _write(path: str, name: str, count: int) -> None:
    ledger = CommsLedger(Path(path))
    for n in range(count):
        ledger.append(f"[DISCUSSION - {name}]\n{name} says {n} " + "x" * 300)


def test_the_ledger_is_safe_under_concurrent_processes(tmp_path: Path) -> None:
    """Every block whole, every block there, an empty line between."""
    path = tmp_path / "comms.md"
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write, args=(str(path), f"W{k}", 40)) for k in range(4)]
    for w in writers:
        w.start()
    for w in writers:
        w.join(60)
    found = path.read_text().strip().split("\n\n")
    assert sorted(found) == sorted(
        f"[DISCUSSION - W{k}]\nW{k} says {n} " + "x" * 300 for k in range(4) for n in range(40)
    )


def command(args: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Run `graphbus consent …` in this process."""
    code = main(["consent", *args])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_json_has_exactly_the_promised_keys(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = command(["run", str(STORAGE), "--json", "--output", "doc.md"], capsys)
    told = json.loads(out)
    assert code == 0
    assert list(told) == ["status", "agreement", "scores", "minimums", "turns", "speaking_turns", "certificate"]
    assert told["certificate"]["nash"]["ratio"] == 1.0
    assert told["certificate"]["pareto_efficient"]
    assert command(["verify", "doc.md"], capsys)[0] == 0
    text = (here / "doc.md").read_text()
    assert "<svg" not in text, "a forge drops it: the picture is a file of its own"
    assert "](doc.picture.svg)" in text
    drawn = (here / "doc.picture.svg").read_text()
    assert drawn.startswith("<svg")
    assert command(["picture"], capsys)[1] == drawn + "\n"
    assert command(["picture", "--output", "p.svg"], capsys)[0] == 0
    assert (here / "p.svg").read_text() == drawn
    assert command(["picture", "--output", "p.png"], capsys)[0] == 2
    (here / "doc.picture.svg").write_text(drawn.replace("agreed", "argued"))
    assert "shows something else" in command(["verify", "doc.md"], capsys)[1]
    (here / "doc.picture.svg").unlink()
    assert "not beside it" in command(["verify", "doc.md"], capsys)[1]
    (here / "doc.picture.svg").write_text(drawn)
    assert all(f"## {part}" in text for part in ("Terms", "Who traded what", "Certificate", "Picture", "Status"))
    (here / "doc.md").write_text(text.replace('"pareto_efficient": true', '"pareto_efficient": false'))
    code, out, _ = command(["verify", "doc.md"], capsys)
    assert code == 1
    assert "pareto_efficient" in out
    assert command(["status"], capsys)[0] == 0
    assert "[DONE]" in command(["show"], capsys)[1]
    assert command(["show", "--document"], capsys)[1].startswith("# Decision")


def test_a_deal_that_was_not_found_has_a_proof_with_a_name(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`The possible holds` was what people read."""
    script = here / "no.yaml"
    script.write_text("advocates: {Cost: {position: {priority: Money}, consent: {answer: object, reason: never}}}\n")
    assert command(["run", str(STORAGE), "--model", f"Cost=scripted:{script}", "--output", "doc.md"], capsys)[0] == 1
    code, out, _ = command(["verify", "doc.md"], capsys)
    assert (code, out.partition(" holds")[0]) == (0, "The proof that an agreement exists")


def test_a_deadlock_exits_1_with_its_proof(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = here / "s.yaml"
    bad.write_text(STORAGE.read_text().replace("minimum: 40", "minimum: 95"))
    code, out, _ = command(["run", str(bad), "--json", "--output", "doc.md"], capsys)
    told = json.loads(out)
    assert code == 1
    assert list(told)[-1] == "proof"
    assert told["agreement"] is None
    assert told["proof"]["kind"] == "deadlock"
    assert command(["verify", "doc.md"], capsys)[0] == 0


def test_the_seeds_session_from_its_transcript(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The seed's own prompt, played from a file: its ledger, byte for byte, and its status block."""
    prompt = (
        "Use negotiation for authentication protocol design.\n"
        "CC advocates Reliability, CX advocates Speed, CC-peer-02 advocates Security.\n"
        "Output: projects/auth/protocol.md"
    )
    code, out, _ = command(["run", prompt, "--model", f"scripted:{SESSION}"], capsys)
    assert code == 0
    assert (here / "comms.md").read_text().startswith(SESSION.read_text())
    assert out.endswith(
        "SKILL: negotiation\nSTATUS: DONE\nTURNS: 8\nOUTPUT: projects/auth/protocol.md\n"
        "PARTICIPANTS: CC (Reliability), CX (Speed), CC-peer-02 (Security)\nCONSENSUS: Achieved\n"
    )
    assert command(["read", "comms.md"], capsys)[0] == 0
    assert (here / "projects" / "auth" / "protocol.md").exists()


@pytest.mark.parametrize(
    "args",
    [
        ["run"],
        ["run", "missing.yaml"],
        ["run", "Use negotiation for lunch."],
        ["run", str(STORAGE), "--advocate", "x"],
        ["run", str(STORAGE), "--human", "Nobody"],
        ["run", str(STORAGE), "--preferences", "secret"],
        ["run", str(STORAGE), "--max-turns", "0"],
        ["run", str(STORAGE), "--output", "/proc/nowhere/doc.md"],
        ["verify", "missing.md"],
        ["show"],
        ["resume", "nothing"],
    ],
)
def test_bad_usage_exits_2_in_one_paragraph(here: Path, capsys: pytest.CaptureFixture[str], args: list[str]) -> None:
    code, _, err = command(args, capsys)
    assert code == 2
    assert err.startswith("graphbus: ")
    assert "Traceback" not in err
    assert not (here / "comms.md").exists()


def test_a_person_at_the_terminal_takes_a_seat(tmp_path: Path) -> None:
    """Position, a check, a consent; the end of input would be silence."""
    said = "\n\n\n\nc\nc\n"
    done = forking.run(
        [sys.executable, "-m", "graphbus_core.cli.main", "consent", "run", str(STORAGE), "--human", "Reliability"],
        input=said,
        text=True,
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Do you [c]onsent" in done.stdout
    assert Runs(tmp_path).list_runs()


SCRIPT = """\
agents:
  CC:
    position: {priority: Fast}
    turn: [{move: propose, offer: soup, want: now}]
    consent: {answer: consent}
  CX:
    turn: [{move: check}, {move: propose, offer: bread, want: cheap}]
    consent: [{answer: object, reason: dear}, {answer: consent}]
"""


@pytest.mark.parametrize("word", ["agents", "advocates"])
def test_a_script_answers_in_order(here: Path, capsys: pytest.CaptureFixture[str], word: str) -> None:
    """Position, turns, checks; where it ends, everybody passes and a last check is called. `advocates` is older."""
    (here / "s.yaml").write_text(SCRIPT.replace("agents", word))
    args = ["run", "Use negotiation for lunch. CC=Fast, CX=Cheap.", "--model", "scripted:s.yaml", "--json"]
    code, out, _ = command(args, capsys)
    assert code == 0
    assert json.loads(out)["agreement"] == ["bread", "cheap"]
    (here / "s.yaml").write_text(SCRIPT.replace("    consent: [", "    consents: ["))
    code, _, err = command(args, capsys)
    assert code == 2
    assert "s.yaml:8" in err


def test_a_document_that_says_something_else_than_its_record_does_not_hold(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever changes the table of terms, a score in the text or who consented is found by `verify`."""
    finished = consent.run(consent.prepare(consent.Request(str(STORAGE), output="decision.md")), Runs(here).create())
    assert finished.outcome.status == "DONE"
    text = Path("decision.md").read_text()
    assert main(["consent", "verify", "decision.md"]) == 0
    for old, new in (
        ("| store (The store) | postgres |", "| store (The store) | dynamo |"),
        ("| Cost | 70 | 40 |", "| Cost | 75 | 40 |"),
        ("3 of 3 advocates", "2 of 3 advocates"),
        ("- Nash ratio 1.000", "- Nash ratio 0.900"),
    ):
        assert old in text
        Path("changed.md").write_text(text.replace(old, new))
        assert main(["consent", "verify", "changed.md"]) == 1, old
    capsys.readouterr()


def test_the_document_of_a_private_negotiation_carries_no_number_of_anyones(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everyone reads the document: no score, no minimum, no rank, no picture of them; what is left can be verified."""
    request = consent.Request(str(STORAGE), preferences="private", seed=3, max_turns=60, output="private.md")
    finished = consent.run(consent.prepare(request), Runs(here).create())
    assert finished.record is not None
    text = Path("private.md").read_text()
    for word in ("score |", "minimum |", "Nash", "Welfare", '"scores"', '"minimums"', "<svg", "- Gave", "best"):
        assert word not in text, word
    assert main(["consent", "verify", "private.md"]) == 0
    Path("changed.md").write_text(text.replace('"kind"', '"scores": {"Cost": 3}, "kind"'))
    assert main(["consent", "verify", "changed.md"]) == 1
    capsys.readouterr()


def test_a_private_negotiation_without_an_agreement_shows_no_red_line(here: Path) -> None:
    Path("s.yaml").write_text(
        "topic: x\nissues: {a: [x, y]}\npreferences: private\nadvocates:\n"
        "  P: {scores: {a: {x: 61}}, minimum: 61}\n  Q: {scores: {a: {y: 73}}, minimum: 73}\n"
    )
    finished = consent.run(consent.prepare(consent.Request("s.yaml", output="none.md")))
    assert finished.outcome.status == "INCOMPLETE"
    text = Path("none.md").read_text()
    assert "61" not in text
    assert "73" not in text


@pytest.mark.parametrize(
    "record",
    [
        {"request": {"bogus": 1}, "scenario": ""},
        {"request": 5},
        {"request": {"source": 5}, "scenario": ""},
        {"request": {"source": "x"}, "scenario": "", "ledger_at": "x"},
        {},
    ],
)
def test_a_damaged_record_of_a_run_is_said_to_be(tmp_path: Path, record: dict[str, Any]) -> None:
    run = Run(tmp_path / "run")
    run.write_record(record)
    with pytest.raises(UsageError, match="damaged"):
        consent.resume(run)


def test_with_json_a_person_is_asked_on_stderr(here: Path) -> None:
    """Stdout is one JSON object, whoever sits at the table."""
    command = [sys.executable, "-c", "from graphbus_core.cli.main import entry; entry()"]
    ran = subprocess.run(
        [*command, "consent", "run", str(STORAGE), "--human", "Cost", "--json", "--comms", "none"],
        input="\n\n\n\nc\nc\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert json.loads(ran.stdout)["status"] == "DONE"
    assert "[c]onsent" in ran.stderr


def test_an_answer_that_no_file_can_hold_is_refused_and_ends_nothing(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Half a character in one advocate's words, as a model may send it, costs that answer alone."""
    text = SCRIPT.replace("offer: soup, want: now", r'offer: "so\ud800up", want: now')
    (here / "s.yaml").write_text(text)
    args = ["run", "Use negotiation for lunch. CC=Fast, CX=Cheap.", "--model", "scripted:s.yaml", "--json"]
    code, out, err = command(args, capsys)
    assert (code, json.loads(out)["status"]) == (1, "INCOMPLETE"), err
    assert "surrogate" in (here / "comms.md").read_text()


def test_with_a_quorum_the_certificate_speaks_for_those_who_consented(here: Path) -> None:
    """An outcome may exist that helps who was left out, and costs nobody: efficient is meant among the others."""
    Path("q.yaml").write_text(
        "topic: x\nquorum: 2\nissues: {a: [x, y], b: [x, y]}\nadvocates:\n"
        "  A: {scores: {a: {x: 9}}, minimum: 5}\n  B: {scores: {a: {x: 9}}, minimum: 5}\n"
        "  C: {scores: {a: {y: 9}, b: {y: 1}}, minimum: 9}\n"
    )
    finished = consent.run(consent.prepare(consent.Request("q.yaml", output="q.md")), Runs(here).create())
    assert finished.outcome.consented == ("A", "B")
    text = Path("q.md").read_text()
    assert "Pareto-efficient for A and B: none of them can gain" in text
    assert "nobody can gain" not in text
    assert main(["consent", "verify", "q.md"]) == 0
