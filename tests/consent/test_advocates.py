"""Rule advocates: what they say can be understood again, tells no number, and comes to good ends."""

from __future__ import annotations

import asyncio
import math
import random
import re
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.negotiation.consent.events import ConsentConfig, Outcome, Status
from graphbus_core.negotiation.consent.optimum.search import find_optima
from graphbus_core.negotiation.consent.protocol import ConsentProtocol
from graphbus_core.negotiation.consent.scenario.model import Advocate, Preferences, Scenario
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.core import Ask, Driver, Reply, Session, View
from graphbus_core.participants.advocates import RuleAdvocate
from graphbus_core.participants.advocates.statements import Opinion, Vocabulary
from tests.consent.worlds import GAMES, shared_game

WORDS = Vocabulary.from_issues(
    {
        "A": {"options": ["A1", "A2", "A3"]},
        "Where (a; b)": {"options": ["Home(make it yourself)", "Home", "a or b", "x; A: A1"]},
        "n": {"options": ["1", "2", "3", "4", "10"]},
    }
)


def play(scenario: Scenario, seed: int, max_turns: int = 200) -> tuple[Scenario, Outcome, MemoryLog, list[Ask]]:
    """One private negotiation; the advocates' order varies with the seed."""
    seats = list(scenario.advocates)
    random.Random(seed).shuffle(seats)
    scenario = replace(scenario, advocates=tuple(seats), preferences=Preferences.PRIVATE)
    log = MemoryLog()
    session: Session[State, Outcome] = Session(ConsentProtocol(), ConsentConfig(scenario, max_turns), log)
    asked: list[Ask] = []

    class Seen(RuleAdvocate):
        async def answer(self, ask: Ask, view: View) -> Reply:
            asked.append(ask)
            return await super().answer(ask, view)

    driver = Driver({n: Seen(seed) for n in scenario.names}, MemoryAnswers())
    return scenario, asyncio.run(driver.run(session)), log, asked


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.booleans(), st.sets(st.tuples(st.integers(0, 2), st.integers(0, 4))))
def test_what_is_said_is_understood(itself: bool, changes: set[tuple[int, int]]) -> None:
    """Also with names that look like the sentence around them, and runs of numbers."""
    fitting = frozenset((i, o) for i, o in changes if o < len(WORDS.options[i]))
    verdict = Opinion(itself, fitting)
    text = (
        f"On proposal 3: {WORDS.render_acceptable(verdict)} {WORDS.render_preferred(verdict)} I believe that "
        f"another change is better."
    )
    assert WORDS.parse_opinions(text) == (verdict, verdict)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 4)))
def test_what_one_would_decide_alone_is_understood(package: tuple[int, int, int]) -> None:
    assert WORDS.parse_ideal(f"Because. {WORDS.render_ideal(package)} More.") == package


def test_other_peoples_words_are_no_labels() -> None:
    assert WORDS.parse_opinions("I like it. 10 points!") == (None, None)
    assert WORDS.parse_ideal("What I would decide alone: lunch.") is None


def test_an_issue_that_one_does_not_care_about_is_no_wish() -> None:
    text = WORDS.render_ideal((1, 1, 1), {1})
    assert text.count(": ") == 2, "the sentence's own, and one issue's"
    assert WORDS.parse_ideal(f"{text} More.") == (0, 1, 0), "understood as before: one option is as good as another"
    assert WORDS.parse_ideal(WORDS.render_ideal((1, 1, 1), set())) is None


@pytest.mark.skipif(not GAMES.is_dir(), reason="the shared scenarios are not here")
@pytest.mark.parametrize("name", ["base", "game1"])
def test_private_games_end_with_all_six_satisfied_and_near_the_nash_optimum(name: str) -> None:
    """A sample; the benchmark runs 100 seeds."""
    game = shared_game(name)
    best = find_optima(game)
    assert best is not None
    ratios = []
    for seed in range(6):
        scenario, outcome, _, _ = play(game, seed)
        assert outcome.status is Status.DONE
        assert outcome.speaking_turns <= 24
        gains = [a.score(scenario.parse_terms(outcome.terms)) - (a.minimum or 0) for a in scenario.advocates]
        assert min(gains) >= 0
        ratios.append(math.prod(gains) / best.nash.value)
    assert sum(ratios) / len(ratios) >= 0.85


@pytest.mark.skipif(not GAMES.is_dir(), reason="the shared scenarios are not here")
def test_no_message_carries_scores_ranks_or_minimums_and_no_question_anothers_preferences() -> None:
    """Digits occur in the names of options and the numbers of proposals alone; preferences in their owner's asks."""
    scenario, _, log, asked = play(shared_game("base"), 1)
    options = {o for i in scenario.issues for o in i.options}
    for entry in log:
        for key, value in entry.event.to_dict().items():
            if key in ("offer", "want", "rationale", "text", "reason", "priority", "red_line", "willing_to_trade"):
                said = re.sub(r"On proposal \d+:", "", str(value))
                said = re.sub(r"My key for ballots that stay shut: \S{44}\.?|^Under seal: \S+$", "", said)
                numbers = {w for w in re.findall(r"\w*\d\w*", said) if w not in options}
                assert not numbers, said
                assert not re.search(r"score|rank|minimum|point|utility|weight|prefer|first|second", said, re.I), said
    for ask in asked:
        own = scenario.find_advocate(ask.to)
        assert ask.about["yours"]["minimum"] == own.minimum
        others = {k: v for k, v in ask.about.items() if k not in ("yours", "brief")}
        text = repr(others)
        assert "'scores'" not in text
        assert "'minimum'" not in text


def test_the_same_seed_gives_the_same_log() -> None:
    """Whatever was remembered between questions."""
    from tests.consent.worlds import generated

    first = play(generated(8), 3)[2]
    second = play(generated(8), 3)[2]
    assert [e.event for e in first] == [e.event for e in second]


def test_with_nothing_but_words_a_rule_passes_and_objects() -> None:
    scenario = Scenario("lunch", advocates=(Advocate("A", priority="fast"), Advocate("B", priority="cheap")))
    _, outcome, log, _ = play(scenario, 0)
    assert outcome.status is Status.INCOMPLETE
    assert len(log) < 10
