"""Seed 000's own negotiation, from a scripted file, through real scan, gates and commits."""

from __future__ import annotations

import ast
import asyncio
import shutil
from pathlib import Path

import pytest

from graphbus_core.analysis.links import link
from graphbus_core.analysis.scan import scan
from graphbus_core.commit import CommitEngine
from graphbus_core.config import BuildConfig, SafetyConfig
from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.negotiation.proposal import ProposalConfig
from graphbus_core.negotiation.proposal.engine import NegotiationEngine
from graphbus_core.negotiation.proposal.negotiation_log import NegotiationLog
from graphbus_core.participants.scripted.script import seat_scripted

EXAMPLE = Path(__file__).parents[3] / "examples" / "seed_negotiation"

# The example of seed 000 but for ids, dates, totals that the fifth proposal changes, and `files_modified`.
ROUNDS = {
    1: [
        {
            "proposer": "FetcherService",
            "type": "schema_extension",
            "summary": "Add optional 'source' field to fetch_headlines output",
            "evaluations": [
                {"agent": "CleanerService", "decision": "accept"},
                {"agent": "FormatterService", "decision": "accept_with_modification"},
            ],
            "outcome": "committed",
            "files_changed": ["agents/fetcher.py", "agents/cleaner.py"],
        },
        {
            "proposer": "FormatterService",
            "type": "logic_improvement",
            "summary": "Add reading time estimate to digest header",
            "evaluations": [
                {"agent": "FetcherService", "decision": "accept"},
                {"agent": "CleanerService", "decision": "accept"},
            ],
            "outcome": "committed",
            "files_changed": ["agents/formatter.py"],
        },
    ],
    2: [
        {
            "proposer": "CleanerService",
            "type": "schema_extension",
            "summary": "Add 'cleaned_at' timestamp to clean() output",
            "evaluations": [
                {"agent": "FetcherService", "decision": "accept"},
                {"agent": "FormatterService", "decision": "accept"},
            ],
            "outcome": "committed",
            "files_changed": ["agents/cleaner.py", "agents/formatter.py"],
        },
        {
            "proposer": "FormatterService",
            "type": "breaking_change",
            "summary": "Change digest output format from string to dict with 'html' and 'text' variants",
            "evaluations": [
                {
                    "agent": "FetcherService",
                    "decision": "reject",
                    "reasoning": "Breaking change — callers expect a string",
                },
                {
                    "agent": "CleanerService",
                    "decision": "reject",
                    "reasoning": "Out of scope; would break existing consumers",
                },
            ],
            "outcome": "rejected",
        },
    ],
}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The projection, the outcome, and the folder."""
    folder = tmp_path_factory.mktemp("seed") / "project"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__", ".graphbus"))
    safety = SafetyConfig(max_negotiation_rounds=2)
    project = scan(folder / "agents")
    linked = link(project.agents)
    place = {name: i for i, name in enumerate(linked.graph.get_agent_activation_order())}
    agents = tuple(sorted(project.agents, key=lambda a: place[a.name]))
    config = ProposalConfig(agents, linked.links, linked.mismatches, safety, files=dict(project.files))
    build = BuildConfig(str(folder / "agents"), safety_config=safety, output_dir=str(folder / ".graphbus"))
    log = MemoryLog()
    with CommitEngine(project, build) as gates:

        async def apply(effect):
            return gates.apply(effect.kind, effect.about)

        seats = seat_scripted(folder / "script.yaml", [a.name for a in agents], [a.name for a in agents])
        outcome = asyncio.run(NegotiationEngine(config, log, MemoryAnswers()).run(seats, apply))
    return NegotiationLog(log, "build-2026-02-20-153042").to_dict(), outcome, folder


def holds(expected, given):
    """Whether `given` has everything that `expected` has; lists element by element."""
    if isinstance(expected, dict):
        return all(k in given and holds(v, given[k]) for k, v in expected.items())
    if isinstance(expected, list):
        return len(expected) == len(given) and all(holds(e, g) for e, g in zip(expected, given, strict=True))
    return expected == given


def test_its_four_proposals_end_as_the_page_says(told):
    """Every field of the example, with the same values for those four."""
    projection, _, _ = told
    assert projection["agents"] == ["FetcherService", "CleanerService", "FormatterService"]
    assert projection["rounds_completed"] == 2
    for number, wanted in ROUNDS.items():
        proposals = [p for p in projection["rounds"][number - 1]["proposals"] if not p.get("answers_to")]
        assert [p for p in wanted if not any(holds(p, g) for g in proposals)] == []
        assert len(proposals) == len(wanted)


def test_the_modification_stands_as_a_fifth_in_round_2(told):
    """What round 1 queued; the totals are those of the page and that one."""
    projection, outcome, _ = told
    (fifth,) = [p for p in projection["rounds"][1]["proposals"] if p.get("answers_to")]
    assert (fifth["proposer"], fifth["origin"], fifth["outcome"]) == ("FormatterService", "modification", "committed")
    keys = ("total_proposals", "committed", "rejected", "deferred")
    assert [projection[k] for k in keys] == [4 + 1, 3 + 1, 1, 0]
    assert projection["net_changes"] == {
        "files_modified": 3,
        "fields_added": 3 + 1,
        "logic_improvements": 1,
        "breaking_changes_rejected": 1,
    }
    assert outcome.reason == "rounds"


def test_the_rejected_one_went_to_no_arbiter_and_the_files_hold_what_was_agreed(told):
    """A breaking change that both peers refuse is dropped without arbitration."""
    _, outcome, folder = told
    (rejected,) = outcome.select_by_outcome("rejected")
    assert rejected.arbiter is None
    assert rejected.by == "evaluators"
    formatter = (folder / "agents/formatter.py").read_text()
    assert "minutes = max(1" in formatter
    assert '{"digest": str}' in formatter
    assert "source=None" in formatter
    ast.parse(formatter)
    assert not link(scan(folder / "agents").agents).mismatches
