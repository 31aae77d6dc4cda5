"""What a person and a program are shown of a negotiation: dry runs, undone commits, gates, names that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.build import BuildConfig, build_project
from graphbus_core.config import LLMConfig, SafetyConfig
from tests.cli.running import Capture, run

BUILD = ("build", "agents", "--enable-agents", "--rounds", "2", "--model", "scripted:script.yaml")
pytestmark = pytest.mark.usefixtures("project")


def shown(capsys: Capture, *args: str) -> Any:
    """What `inspect-negotiation --json` tells."""
    return json.loads(run(capsys, "inspect-negotiation", "--json", *args)[1])


def proposals(told: Any) -> dict[str, Any]:
    return {p["id"]: p for r in told["rounds"] for p in r["proposals"]}


def test_a_dry_run_is_marked_wherever_it_can_be_met(capsys: Capture, project: Path) -> None:
    """Log, projection, summary, text; and it made nothing what it is."""
    assert run(capsys, *BUILD, "--dry-run")[0] == 0
    told = json.loads((project / ".graphbus/negotiation_log.json").read_text())
    assert told["dry_run"] is True
    assert [p.get("dry_run") for p in proposals(told).values()] == [True, True, True, True, None]
    summary = json.loads((project / ".graphbus/build_summary.json").read_text())
    assert summary["negotiation"]["dry_run"] is True
    first = json.loads(run(capsys, "log", "export", "--facts")[1].splitlines()[0])
    assert first["settings"]["dry_run"] is True
    assert json.loads(run(capsys, "log", "verify", "--json")[1])["dry_run"] is True
    plain = run(capsys, "inspect-negotiation", "--plain")[1]
    assert "(a dry run: nothing was changed)" in plain.splitlines()[0]
    assert plain.count("would be committed (unanimous)") == 4
    assert "4 would be committed, 1 rejected" in plain
    code, out, _ = run(capsys, "why", "CleanerService.clean.source")
    assert (code, "1 of them was a dry run" in out) == (1, True)
    assert "a dry run: nothing was changed" in run(capsys, "why", "CleanerService.clean.source", "--all")[1]
    code, _, err = run(capsys, "undo", "p-5cce")
    assert (code, "was agreed in a dry run" in err) == (2, True)
    assert run(capsys, "log", "replay")[0] == 0


def test_a_build_that_is_none_is_not_marked(capsys: Capture, project: Path) -> None:
    """And its log is as it always was: nothing is said of dry runs."""
    assert run(capsys, *BUILD)[0] == 0
    assert shown(capsys)["dry_run"] is False
    assert "dry_run" not in json.loads(run(capsys, "log", "export", "--facts")[1].splitlines()[0])["settings"]


def test_a_dry_run_is_not_resumed_as_a_build(capsys: Capture, project: Path) -> None:
    """It is gone on with as the dry run that it was, whose commits are made again in a new copy."""
    before = {p.name: p.read_bytes() for p in (project / "agents").glob("*.py")}
    assert run(capsys, *BUILD, "--dry-run")[0] == 0
    log = next((project / ".graphbus/negotiations").glob("build-*[0-9].jsonl"))
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-2]))
    for head in (project / ".graphbus/negotiations").glob("*head*"):
        head.unlink()
    code, out, err = run(capsys, *BUILD, "--resume")
    assert (code, "Dry run: nothing was changed" in out) == (0, True), err
    assert {p.name: p.read_bytes() for p in (project / "agents").glob("*.py")} == before


def test_what_was_taken_back_says_so(capsys: Capture) -> None:
    """In `why`, in its JSON, and where the negotiation is shown; made again, it stands again."""
    run(capsys, *BUILD)
    assert run(capsys, "undo", "p-5739")[0] == 0
    target = "FormatterService.format_digest.source"
    code, out, _ = run(capsys, "why", target)
    assert (code, "committed, taken back" in out, "by `graphbus undo p-5739`" in out) == (0, True, True)
    (cause,) = json.loads(run(capsys, "why", target, "--json")[1])
    assert (cause["commit_id"], cause["undone"]["at"][:2]) == ("c-5739", "20")
    assert {i: bool(p.get("undone")) for i, p in proposals(shown(capsys)).items() if p["outcome"] == "committed"} == {
        "p-5cce": False,
        "p-12d6": False,
        "p-5739": True,
        "p-f6d1": False,
    }
    for pid in ("p-f6d1", "p-12d6", "p-5cce"):
        assert run(capsys, "undo", pid)[0] == 0
    assert run(capsys, *BUILD)[0] == 0  # the same start, so the same ids
    again = json.loads(run(capsys, "why", target, "--json")[1])
    assert [(c["proposal_id"], c["undone"] is None) for c in again] == [("p-5739", True), ("p-5739", False)]


def test_each_undo_stands_alone(capsys: Capture) -> None:
    """The first commit goes though a later one uses an import that it brought."""
    run(capsys, *BUILD)
    code, _, err = run(capsys, "undo", "p-5cce")
    assert (code, err) == (0, "")


def test_the_gates_are_shown(capsys: Capture) -> None:
    """Those that were passed, and the one that said no with its reason; in text and for programs."""
    run(capsys, *BUILD, "--verify", "echo not this; false")
    told = proposals(shown(capsys))["p-5cce"]
    passed = [
        "applies",
        "limits",
        "path",
        "characters",
        "parses",
        "contracts",
        "mismatches",
        "names",
        "types",
        "imports",
    ]
    assert told["gates"]["passed"] == passed
    assert told["gates"]["failed"]["gate"] == told["decided_by"] == "verify"
    assert "not this" in told["gates"]["failed"]["reason"]
    assert "gates" not in proposals(shown(capsys))["p-0590"]
    plain = run(capsys, "inspect-negotiation", "--plain")[1]
    assert "commit failed at the gate verify: echo not this; false says no" in plain
    assert f"gates passed: {', '.join(passed)}" in plain
    assert run(capsys, "log", "replay")[0] == 0


def test_a_log_without_gates_is_read(capsys: Capture) -> None:
    """A recorded history of an older version: nothing is made up."""
    log = Path(__file__).parent.parent / "negotiation/histories/seed.jsonl"
    code, out, err = run(capsys, "inspect-negotiation", str(log), "--plain")
    assert (code, err) == (0, "")
    assert "gates passed: not recorded in this log" in out


def test_why_refuses_a_name_that_nothing_has(capsys: Capture) -> None:
    """With the nearest; what is known and untouched keeps its sentence."""
    run(capsys, *BUILD, "--dry-run")
    for target, says in (
        ("CleanerService.clan", "Did you mean CleanerService.clean?"),
        ("CleanrService.clean.source", "CleanerService.clean.source"),
        ("CleanerService.clean.heedlines", "CleanerService.clean.headlines"),
        ("Cleaner", "CleanerService"),
        ("", "The nodes are CleanerService, FetcherService, FormatterService."),
        ("a.b.c.d.e", "The nodes are CleanerService, FetcherService, FormatterService."),
    ):
        code, out, err = run(capsys, "why", target)
        assert (code, out, says in err) == (2, "", True), target
    code, out, _ = run(capsys, "why", "CleanerService.clean.headlines")
    assert (code, "it is as its author wrote it" in out) == (1, True)


def test_a_commit_has_its_time() -> None:
    """`CommitRecord.timestamp` is that of the log."""
    made = build_project(
        BuildConfig(
            root_package="agents",
            output_dir=".graphbus",
            enable_agents=True,
            llm_config=LLMConfig(model="scripted:script.yaml"),
            safety_config=SafetyConfig(max_negotiation_rounds=2),
        )
    )
    assert len(made.negotiations) == 4
    assert all(record.timestamp > 1_600_000_000 for record in made.negotiations)
    assert made.negotiation.commits == tuple(made.negotiations)
