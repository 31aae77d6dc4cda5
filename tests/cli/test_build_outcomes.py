"""What `build --enable-agents` leaves: its exit code, its JSON, its question, and a terminal that obeys nobody else."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from graphbus_core.cli.build.live_view import LiveView
from graphbus_core.text import escape_line, escape_text
from tests.cli.running import Capture, run
from tests.serving import UNSURE

pytestmark = pytest.mark.usefixtures("project")
BUILD = ("build", "agents", "--enable-agents", "--rounds", "1", "--model")
FIELD = "{op: add_field, method: clean, side: output, field: %s, type: str, optional: true}"


def script(*proposals: str, evaluate: str = "{decision: accept}") -> str:
    """CleanerService proposes these in round 1."""
    made = "".join(f"\n            - {p}" for p in proposals) or " []"
    text = f"default:\n  evaluate: {evaluate}\nagents:\n  CleanerService:\n    propose:\n      - proposals:{made}\n"
    Path("own.yaml").write_text(text)
    return "scripted:own.yaml"


def proposal(field: str, summary: str = "one more") -> str:
    return f"{{type: schema_extension, summary: {json.dumps(summary)}, diff: [{FIELD % field}]}}"


def test_something_committed_or_nothing_to_say_is_done(capsys: Capture) -> None:
    """Exit code 0, and no finding."""
    code, out, _ = run(capsys, *BUILD, script(proposal("note")), "--json")
    assert (code, json.loads(out)["findings"]) == (0, [])
    code, out, _ = run(capsys, *BUILD, script())
    assert (code, "Findings" in out) == (0, False)


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
def test_a_gate_that_refused_a_commit_is_a_finding(capsys: Capture, dry: tuple[str, ...]) -> None:
    """It is named with the proposal; the build is written all the same."""
    code, out, _ = run(capsys, *BUILD, script(proposal("note")), "--verify", "false", *dry)
    assert code == 1
    assert "1 agreed proposal did not pass the gates" in out
    assert ": verify)" in out
    assert Path(".graphbus/manifest.json").exists()


def test_nothing_agreed_is_a_finding(capsys: Capture) -> None:
    """Rejected by all, or nothing that could be read from anybody."""
    code, out, _ = run(capsys, *BUILD, script(proposal("note"), evaluate="{decision: reject, reasoning: no}"))
    assert (code, "came to a commit" in out) == (1, True)
    nonsense = "agents:\n" + "".join(
        f"  {name}:\n    propose:\n      - {{attempts: [{{nonsense: 1}}, {{nonsense: 2}}, {{nonsense: 3}}]}}\n"
        for name in ("CleanerService", "FetcherService", "FormatterService")
    )
    Path("own.yaml").write_text(nonsense)
    code, out, _ = run(capsys, *BUILD, "scripted:own.yaml")
    assert (code, "gave no usable answer" in out) == (1, True)


def test_a_link_that_is_left_is_a_finding_with_agents_alone(capsys: Capture, project: Path) -> None:
    """Without agents a build freezes what is there: `validate` judges."""
    cleaner = project / "agents/cleaner.py"
    cleaner.write_text(
        cleaner.read_text().replace('input_schema={"headlines"', 'input_schema={"lines": int, "headlines"')
    )
    assert run(capsys, "validate", "agents")[0] == 1
    assert run(capsys, "build", "agents")[0] == 0
    code, out, _ = run(capsys, *BUILD, script(proposal("note")))
    assert (code, "Findings (exit code 1): 1 link does not fit." in out) == (1, True)


def test_what_is_undecided_is_counted_apart(capsys: Capture, project: Path) -> None:
    """It fails, too, but nobody has shown a payload."""
    for one in (project / "agents").glob("*.py"):
        one.unlink()
    (project / "agents/all.py").write_text(UNSURE)
    code, out, _ = run(capsys, "validate", "agents")
    assert (code, "1 of 2 checked links do not fit, 1 undecided." in out) == (1, True)
    assert "1 link does not fit, 1 link is undecided: `graphbus validate" in run(capsys, "build", "agents")[1]
    assert "Findings (exit code 1): 1 link does not fit, 1 link is undecided;" in run(capsys, *BUILD, "rules")[1]


def test_the_json_of_a_build_tells_each_outcome(capsys: Capture) -> None:
    """How it ended, each proposal with its diff, and where the log is; also of a dry run."""
    code, out, err = run(capsys, *BUILD, script(proposal("note")), "--dry-run", "--json")
    told = json.loads(out)
    assert (code, err, told["dry_run"], told["modified_files"]) == (0, "", True, [])
    negotiation = told["negotiation"]
    assert negotiation["ended"]["reason"] == "rounds"
    assert Path(negotiation["log"]).exists()
    (made,) = negotiation["proposals"]
    assert (made["outcome"], made["decided_by"], made["commit_id"]) == ("committed", "unanimous", None)
    assert '+    @schema_method(input_schema={"headlines": list[str]}' in made["unified_diff"]
    code, out, _ = run(capsys, "build", "agents", "--json")
    assert (code, json.loads(out)["negotiation"]) == (0, None)


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("why", "CleanerService.clan"), 2),
        (("inspect-negotiation", "build-none"), 2),
        (("log", "verify", "build-none"), 2),
        (("undo", "p-0000"), 2),
        (("validate", "nowhere"), 2),
        (("inspect", "nowhere"), 2),
        (("build", "nowhere"), 2),
        (("build", "agents", "--bogus"), 2),
        (("run", "nowhere", "--call", "A.b"), 2),
        (("replay", "nowhere"), 2),
        (("contracts", "check", "nowhere.json", "either.json"), 2),
        (("consent", "show", "run-none"), 2),
        (("negotiate", "poll", "nowhere", "me"), 70),
    ],
)
def test_a_failure_is_one_object_for_programs(capsys: Capture, args: tuple[str, ...], code: int) -> None:
    """On stdout, with the sentence that stands on stderr, and the exit code."""
    run(capsys, *BUILD, script())
    got, out, err = run(capsys, *args, "--json")
    told = json.loads(out)
    assert (got, told["code"]) == (code, code)
    assert told["error"].splitlines()[0] in err


def test_the_question_of_approve_leaves_stdout_alone(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The diff and the question go to stderr."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    code, out, err = run(capsys, *BUILD, script(proposal("note")), "--approve", "--json")
    assert (code, json.loads(out)["committed"]) == (0, 1)
    assert "Commit this? [y]es / [n]o: " in err
    assert "+++ b/agents/cleaner.py" in err


def test_no_live_line_stands_over_a_question() -> None:
    """While a person is asked nothing is drawn; after the answer it is again."""
    asked = {"id": "1.approve.p-1", "agent": "human", "kind": "approve"}
    thinking = {"id": "1.evaluate.p-1.A", "agent": "A", "kind": "evaluate"}
    with LiveView(Console(file=io.StringIO(), force_terminal=True)) as story:
        story("asked", thinking)
        assert story._status is not None
        story("asked", asked)
        assert story._status is None
        story("progress", {"tokens": 3, "cost_usd": 0.0})
        assert story._status is None
        story("answered", {**asked, "why": None, "usage": {}})
        assert story._status is not None


ESCAPES = "x\x1b[31mRED\x1b]0;title\x07 \x9b2J\u202eback\r\nnext"


def test_what_others_wrote_is_shown_and_not_obeyed(capsys: Capture) -> None:
    """In the story, in every view, and for a person who approves."""
    assert escape_text("a\tb\n\x1b[0m\u202e") == "a\tb\n\\x1b[0m\\u202e"
    assert escape_line("a\r\nb") == "a\\nb"
    given = script(proposal("note", ESCAPES), evaluate=f"{{decision: accept, reasoning: {json.dumps(ESCAPES)}}}")
    said = [*run(capsys, *BUILD, given)[1:]]
    said += run(capsys, "inspect-negotiation", "--plain")[1:]
    said += run(capsys, "why", "CleanerService.clean.note")[1:]
    pid = json.loads(run(capsys, "why", "CleanerService.clean.note", "--json")[1])[0]["proposal_id"]
    said += run(capsys, "undo", pid)[1:]
    assert sum("\\x1b[31mRED" in text for text in said) == 3
    for text in said:
        assert not set(text) & set("\x1b\x07\x9b\u202e\r"), text


def test_the_person_who_approves_is_shown_no_escapes() -> None:
    """`TerminalParticipant` writes through the same door."""
    from graphbus_core.participants.people.terminal import TerminalParticipant

    written: list[str] = []
    person = TerminalParticipant(lambda prompt: written.append(prompt) or "y", written.append)
    person.write(ESCAPES)
    person.read(ESCAPES)
    assert not {"\x1b", "\x07", "\r"} & set("".join(written))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("outcome=comitted", "did you mean committed?"),
        ("agent=Cleaner", "did you mean CleanerService?"),
        ("party=nobody", "CleanerService, "),
        ("round=x", "round is one of 1"),
        ("type=schema", "schema_extension"),
    ],
)
def test_a_filter_that_nothing_can_pass_is_refused(capsys: Capture, given: str, says: str) -> None:
    """With the values that there are; a value that nothing happens to have is an empty list."""
    run(capsys, *BUILD, script(proposal("note")))
    code, out, err = run(capsys, "inspect-negotiation", "--plain", "--filter", given)
    assert (code, out, says in err) == (2, "", True)
    assert run(capsys, "inspect-negotiation", "--filter", "outcome=rejected")[0] == 0


def test_agent_is_who_proposed_and_party_whoever_had_a_part(capsys: Capture) -> None:
    """Seed 000's own example filters by the proposer."""
    run(capsys, *BUILD, script(proposal("note")))

    def found(given: str) -> Any:
        out = run(capsys, "inspect-negotiation", "--json", "--filter", given)[1]
        return [p["proposer"] for r in json.loads(out)["rounds"] for p in r["proposals"]]

    assert found("agent=FormatterService") == []
    assert found("party=FormatterService") == found("agent=CleanerService") == ["CleanerService"]


def test_the_build_module_finds_the_same(capsys: Capture) -> None:
    """`python -m graphbus_core.build` has the same exit codes."""
    from graphbus_core.build.__main__ import main as module

    given = ["--root", "agents", "--rounds", "1", "--model"]
    assert module([*given, script(proposal("note", "x"), evaluate="{decision: reject, reasoning: no}")]) == 1
    assert "Findings (exit code 1): nothing that was negotiated came to a commit." in capsys.readouterr().out
    assert module([*given, script(proposal("note"))]) == 0


def test_an_interrupted_command_is_one_object_too(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the code of an interruption."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("graphbus_core.services.build_command.build_project", interrupted)
    for args in (("build", "agents"), (*BUILD, script())):
        code, out, _ = run(capsys, *args, "--json")
        assert (code, json.loads(out)["code"]) == (130, 130)
