"""Never one turn short: no turn is asked, and nothing is tabled, that could not be checked any more (design §8)."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from graphbus_core.errors import UsageError
from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.negotiation.consent.events import (
    MEDIATOR,
    CheckCalled,
    ConsentConfig,
    Consented,
    Discussed,
    Objected,
    Outcome,
    PositionStated,
    ProposalTabled,
    Status,
)
from graphbus_core.negotiation.consent.protocol import ConsentProtocol
from graphbus_core.negotiation.consent.scenario.model import Advocate, Preferences, Scenario
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.core import Answered, Ask, Driver, Session, Silent
from graphbus_core.participants.advocates import RuleAdvocate
from graphbus_core.services.questions.forms import build_answer_schema
from graphbus_core.sessions.consent import Request, prepare
from tests.consent.worlds import generated

PROPOSE = {"move": "propose", "offer": "this", "want": "that", "rationale": "fair"}
COSTS = (PositionStated, ProposalTabled, Discussed, Objected, Consented)


def opened(count: int, max_turns: int) -> Session[State, Outcome]:
    """A table of words."""
    seats = tuple(Advocate(f"p{n}", priority="x") for n in range(count))
    session: Session[State, Outcome] = Session(
        ConsentProtocol(), ConsentConfig(Scenario("lunch", advocates=seats), max_turns), MemoryLog()
    )
    session.advance()
    return session


@pytest.mark.no_cover
@settings(max_examples=150, deadline=None)
@given(st.integers(2, 6), st.integers(0, 30), st.randoms(use_true_random=False))
def test_whatever_is_said_every_proposal_can_still_be_checked(count: int, more: int, rng: random.Random) -> None:
    """And every turn that is asked can still lead to a check."""
    bound = 2 * count + more
    session = opened(count, bound)
    while session.outcome is None:
        ask = session.head
        assert isinstance(ask, Ask)
        left = bound - session.state.turns
        if ask.kind == "turn":
            assert left >= count
            assert ask.about["checks_left"] == left // count
            body = rng.choice(
                [
                    PROPOSE,
                    {"move": "discuss", "text": "hm"},
                    {"move": "check", "terms": ["own"]},
                    {"move": "pass"},
                    None,
                ]
            )
            if body is not None and session.check(ask, body) is not None:
                body = {"move": "pass"}
        elif ask.kind == "consent":
            body = rng.choice([{"answer": "consent"}, {"answer": "object", "reason": "no"}, None])
        else:
            body = {"priority": "x"}
        session.settle(ask.id, Silent("silent") if body is None else Answered(body))
    used = 0
    for entry in session.log:
        used += isinstance(entry.event, COSTS)
        if isinstance(entry.event, ProposalTabled):
            assert bound - used >= count, "tabled, and no check of it was possible"
    assert used <= bound


@pytest.mark.parametrize("count", range(2, 8))
def test_exactly_twice_as_many_turns_as_advocates_are_enough_for_a_decision(count: int) -> None:
    session = opened(count, 2 * count)
    for _ in range(count):
        ask = session.head
        assert ask is not None
        session.settle(ask.id, Answered({"priority": "x"}))
    ask = session.head
    assert isinstance(ask, Ask)
    assert not ask.about["may_speak"]
    assert "check" in (session.check(ask, PROPOSE) or "")
    session.settle(ask.id, Answered({"move": "check", "terms": ["soup"]}))
    for _ in range(count):
        ask = session.head
        assert isinstance(ask, Ask)
        assert ask.about["last_chance"]
        session.settle(ask.id, Answered({"answer": "consent"}))
    assert session.outcome is not None
    assert session.outcome.status is Status.DONE


def test_a_sealed_table_says_truly_whether_another_vote_can_follow() -> None:
    """Nobody calls its votes, and each but the last that the turns can hold is followed by another."""
    seats = tuple(Advocate(f"p{n}", priority="x") for n in range(2))
    scenario = Scenario("lunch", advocates=seats, preferences=Preferences.SEALED)
    session: Session[State, Outcome] = Session(ConsentProtocol(), ConsentConfig(scenario, 8), MemoryLog())
    session.advance()
    left, told = [], []
    while session.outcome is None:
        ask = session.head
        if not isinstance(ask, Ask):
            session.submit(MEDIATOR, {"terms": [f"soup {len(left)}"], "rationale": "fair"})
            continue
        if ask.kind == "position":
            session.settle(ask.id, Answered({"priority": "x"}))
            continue
        if ask.to == "p0":
            left.append((ask.about["checks_left"], ask.about["last_chance"]))
            told.append(build_answer_schema(ask)["oneOf"][-1]["description"])
        session.settle(ask.id, Answered({"answer": "object", "reason": "no"}))
    assert left == [(2, False), (1, False), (0, True)]
    assert [text.split(". ")[1].split(":")[0] for text in told] == [
        "GraphBus does not propose exactly this again; the others read my reason, it does not.",
        "GraphBus does not propose exactly this again; the others read my reason, it does not.",
        "This is the last vote that can be held",
    ]


def test_fifteen_advocates_fit_into_thirty_turns_and_sixteen_do_not() -> None:
    def asked(count: int) -> Request:
        return Request("Use negotiation for lunch.", {f"p{n}": "x" for n in range(count)}, model="rules")

    assert prepare(asked(15)).config.max_turns == 30
    with pytest.raises(UsageError, match="at least 32 turns"):
        prepare(asked(16))
    with pytest.raises(UsageError, match="--max-turns"):
        prepare(replace(asked(3), max_turns=5))
    assert prepare(replace(asked(3), max_turns=5), begun=True).config.max_turns == 5  # a first edition's run is read


def test_an_advocate_with_one_check_left_says_yes_to_what_lies_above_its_minimum() -> None:
    """In every generated domain with a deal, at the fewest turns: nobody objects to a deal that it could take."""
    tried = 0
    for seed in range(40):
        scenario = generated(seed, parties=(3, 4))
        if not any(map(scenario.is_permitted, scenario.iterate_outcomes())):
            continue
        tried += 1
        table = replace(scenario, preferences=Preferences.PRIVATE)
        log = MemoryLog()
        bound = 2 * len(table.names)
        session: Session[State, Outcome] = Session(ConsentProtocol(), ConsentConfig(table, bound), log)
        asyncio.run(Driver({n: RuleAdvocate() for n in table.names}, MemoryAnswers()).run(session))
        checks = [e.event for e in log if isinstance(e.event, CheckCalled)]
        assert len(checks) == 1
        fine = {n for n in table.names if not table.find_crossed_lines(n, table.parse_terms(checks[0].terms))}
        assert {e.event.advocate for e in log if isinstance(e.event, Consented)} == fine
    assert tried >= 10
