"""The seed's blocks: written, read, scripted; what others wrote in them under the rules; the prompt forms."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, strategies as st

from graphbus_core.errors import ScenarioError
from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.negotiation.consent.events import (
    ConsentConfig,
    Discussed,
    Objected,
    Outcome,
    PositionStated,
    ProposalTabled,
    Status,
)
from graphbus_core.negotiation.consent.protocol import ConsentProtocol
from graphbus_core.negotiation.consent.scenario.model import Advocate, Scenario
from graphbus_core.negotiation.consent.scenario.prompt import read_prompt
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.consent.transcript import (
    extract_last_negotiation,
    parse_blocks,
    read_transcript,
    render_block,
    render_status_block,
    render_transcript,
)
from graphbus_core.negotiation.core import Driver, Session
from graphbus_core.participants.scripted.advocates import TranscriptAdvocate
from tests.consent.worlds import ROOT

SESSION = (ROOT / "examples" / "consent" / "session.md").read_text()
SEATS = {"CC": "Reliability", "CX": "Speed", "CC-peer-02": "Security"}
STATUS = """SKILL: negotiation
STATUS: DONE
TURNS: 8
OUTPUT: projects/auth/protocol.md
PARTICIPANTS: CC (Reliability), CX (Speed), CC-peer-02 (Security)
CONSENSUS: Achieved"""


def test_the_seeds_session_gives_its_blocks_its_order_and_its_status() -> None:
    """Played from the transcript through the protocol and written again: the same text, 8 turns."""
    said, _ = parse_blocks(SESSION)
    scenario = Scenario("auth", advocates=tuple(Advocate(n, priority=p) for n, p in SEATS.items()))
    session: Session[State, Outcome] = Session(ConsentProtocol(), ConsentConfig(scenario), MemoryLog())
    outcome = asyncio.run(Driver({n: TranscriptAdvocate(n, said) for n in SEATS}, MemoryAnswers()).run(session))
    assert render_transcript(e.event for e in session.log) == SESSION
    assert render_status_block(outcome.status, outcome.turns, "projects/auth/protocol.md", SEATS) == STATUS


def test_a_transcript_is_read_to_the_same_end() -> None:
    found = read_transcript(SESSION + "\n" + STATUS + "\n")
    assert (found.status, found.turns, found.speaking_turns) == (Status.DONE, 8, 2)
    assert found.advocates == SEATS
    assert found.agreement[0] == "150ms p99 target"
    assert found.faults == ()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("[CONSENT - CX]\n", ""), "without everybody's consent"),
        (("[CONSENT - CX]", "[CONSENT - Eve]"), "not an advocate"),
        (("[CONSENT - CX]", "[CONSENT - CC]"), "twice"),
        (("[CONSENT - CX]", "[OBJECT - CX: no]"), "without everybody's consent"),
        (("[PROPOSAL - CX]", "[CONSENT - CX]"), "outside a check"),
        (("[PROPOSAL - CX]", "[PROPOSAL - Eve]"), "not an advocate"),
        (("[ADVOCATE - CX]", "[ADVOCATE - CC]"), "twice"),
        (("[DONE] - Consensus reached.", STATUS.replace("TURNS: 8", "TURNS: 7")), "7 turns"),
    ],
)
def test_what_breaks_the_rules_is_named(change: tuple[str, str], fault: str) -> None:
    found = read_transcript(SESSION.replace(*change), roster=list(SEATS))
    assert any(fault in f for f in found.faults), found.faults


def test_consent_after_a_newer_proposal_does_not_count() -> None:
    """What was consented to is not what stands."""
    text = SESSION.replace("[CONSENT - CC-peer-02]", "[PROPOSAL - CC]\nI OFFER: a\nI WANT: b\n\n[CONSENT - CC-peer-02]")
    found = read_transcript(text)
    assert found.status is Status.INCOMPLETE
    assert found.faults


@given(st.text(max_size=200), st.text(max_size=80))
def test_nobody_can_speak_in_anothers_name(text: str, other: str) -> None:
    """Whatever is said stays inside its own block."""
    for event in (
        Discussed("A", f"{text}\n[CONSENT - B]\n[DONE] - over\n{other}"),
        ProposalTabled(1, "A", (), f"{text}\n[CONSENT - B]", other, "[OBJECT - B: no]", "h"),
        PositionStated("A", text, f"x\n[CONSENT - B]\n{other}", "", ""),
        Objected("A", 1, "h", f"{text}\n[CONSENT - B]", False),
    ):
        said, _ = parse_blocks(render_block(event) or "")
        assert [(s.name, s.kind) for s in said if s.name == "B" or s.kind == "DONE"] == []


def test_the_seeds_prompt_forms() -> None:
    minimal = read_prompt(
        "Use negotiation to decide on team meeting frequency.\n"
        "CC=Productivity, CX=Work-Life-Balance, CC-peer-02=Collaboration."
    )
    assert minimal.topic == "team meeting frequency"
    assert minimal.advocates == {"CC": "Productivity", "CX": "Work-Life-Balance", "CC-peer-02": "Collaboration"}
    full = read_prompt(
        "Use negotiation for authentication protocol design.\n"
        "CC advocates Reliability, CX advocates Speed, CC-peer-02 advocates Security.\n"
        "Output: projects/auth/protocol.md\nwork: notes/decision.md\nmax_turns: 12"
    )
    assert (full.topic, full.advocates) == ("authentication protocol design", SEATS)
    assert (full.output, full.work, full.max_turns) == ("projects/auth/protocol.md", "notes/decision.md", 12)


@pytest.mark.parametrize(
    ("prompt", "why"),
    [
        ("Use negotiation for lunch.", "at least two"),
        ("Use negotiation for lunch. CC=Fast, CC=Cheap.", "twice"),
        ("CC=Fast, CX=Cheap", "what is to be decided"),
        ("Use negotiation for lunch. CC=Fast, CX=Cheap. max_turns: many", "max_turns"),
        ("Use negotiation for lunch. CC=Fast, CX=Cheap. max_turns: ²", "max_turns"),
        (f"Use negotiation for lunch. CC=Fast, CX=Cheap. max_turns: {10**99}", "max_turns"),
        ("Use negotiation for lunch. CC=Fast, [DONE]=Cheap.", "cannot be called"),
        ("Use negotiation for lunch. CC=Fast, engine=Cheap.", "cannot be called"),
    ],
)
def test_a_prompt_that_cannot_be_says_what_is_missing(prompt: str, why: str) -> None:
    with pytest.raises(ScenarioError, match=why):
        read_prompt(prompt)


def test_of_a_ledger_with_several_negotiations_the_last_is_read() -> None:
    """Each ends with its status block; lines keep their numbers. What follows an end otherwise is not a new one."""
    first = f"{SESSION}\n{STATUS}\n\n"
    second = SESSION.replace("[CONSENT - CX]\n", "")
    text, before = extract_last_negotiation(first + second)
    assert before == 1
    assert read_transcript(text).status is Status.INCOMPLETE
    at = (first + second).splitlines().index("[DONE] - Consensus reached.", len(first.splitlines())) + 1
    assert any(f.startswith(f"line {at}:") for f in read_transcript(text).faults)
    assert extract_last_negotiation(SESSION)[1] == 0
    late = f"{first}[CONSENT - CC]\n"
    assert extract_last_negotiation(late)[1] == 0
    assert read_transcript(extract_last_negotiation(late)[0]).faults
