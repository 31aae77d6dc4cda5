"""Sealed ballots: together they tell which packages all can live with; alone they tell nothing."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace

import numpy as np
import pytest

from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.negotiation.consent.events import (
    BallotCommitted,
    BallotForfeited,
    BallotOpened,
    CheckCalled,
    ConsentConfig,
    Discussed,
    Outcome,
    ProposalTabled,
    Status,
)
from graphbus_core.negotiation.consent.optimum.search import find_optima
from graphbus_core.negotiation.consent.protocol import ConsentProtocol
from graphbus_core.negotiation.consent.scenario.model import Advocate, Issue, Preferences, Scenario, build_minimum_line
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.core import Ask, Driver, Reply, Session, View
from graphbus_core.participants.advocates import RuleAdvocate
from graphbus_core.participants.advocates.ballot import (
    COARSE,
    FINE,
    Scale,
    combine_ballots,
    compute_levels,
    decode_ballot,
    derive_public_key,
    encode_ballot,
    find_common_ground,
    mask_ballot,
    x25519,
)
from tests.consent.worlds import generated

SECRETS = {n: n.encode() * 32 for n in "ABC"}


def test_the_exchange_of_keys_is_the_one_of_rfc_7748() -> None:
    """Section 5.2, first vector, and 6.1: both sides come to the same secret."""
    k = bytes.fromhex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
    u = bytes.fromhex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")
    assert x25519(k, u).hex() == "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
    alice = bytes.fromhex("77076d0a7318a57d3c16c17251b26645df4b4ce1f9f2ca4e7d3a9c2b7f0a5c3a")
    bob = bytes.fromhex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    assert x25519(alice, derive_public_key(bob)) == x25519(bob, derive_public_key(alice))


def test_masks_cancel_in_the_sum_of_all_ballots_and_in_no_smaller_sum() -> None:
    keys = {n: derive_public_key(s) for n, s in SECRETS.items()}
    plain = {n: np.arange(50, dtype=np.uint32) * k for k, n in enumerate("ABC", 1)}
    cast = {n: mask_ballot(plain[n], n, SECRETS[n], keys, b"round") for n in "ABC"}
    assert (combine_ballots(cast) == np.arange(50) * 6).all()
    two = combine_ballots({n: cast[n] for n in "AB"})
    assert not (two == np.arange(50) * 3).any()
    for n in "ABC":
        assert abs(np.corrcoef(cast[n].astype(float), plain[n].astype(float))[0, 1]) < 0.5
        back = decode_ballot(encode_ballot(cast[n], COARSE), 50, COARSE)
        assert back is not None
        assert (back == cast[n]).all()
    assert decode_ballot("no ballot", 50, COARSE) is None


@pytest.mark.parametrize("scale", [COARSE, FINE])
def test_more_gain_is_a_higher_level_and_noise_is_no_common_ground(scale: Scale) -> None:
    found = compute_levels(np.array([0.0, 0.001, 0.05, 0.3, 1.0]), scale)
    assert list(found) == sorted(found)
    assert found[-1] == scale.levels - 1
    noise = np.frombuffer(np.random.default_rng(1).bytes(100_000 * np.dtype(scale.kind).itemsize), dtype=scale.kind)
    assert (find_common_ground(noise, 3, scale) >= 0).sum() <= (3 if scale is COARSE else 0)


def play(
    scenario: Scenario, seats: dict[str, RuleAdvocate], max_turns: int = 30
) -> tuple[Outcome, MemoryLog, Session[State, Outcome]]:
    """One private table."""
    log = MemoryLog()
    table = replace(scenario, preferences=Preferences.PRIVATE)
    session: Session[State, Outcome] = Session(ConsentProtocol(), ConsentConfig(table, max_turns), log)
    return asyncio.run(Driver(seats, MemoryAnswers()).run(session)), log, session


def test_private_advocates_agree_on_the_best_for_all_within_the_default_turns() -> None:
    """Generated scenarios with conditional scores, forbidden combinations and limits; where there is a deal at all."""
    agreed = 0
    for seed in range(60):
        scenario = generated(seed)
        best = find_optima(scenario)
        if best is None or best.nash.value <= 0:
            continue
        outcome, log, _ = play(scenario, {n: RuleAdvocate(seed) for n in scenario.names})
        assert outcome.status is Status.DONE
        agreed += 1
        gains = [a.score(scenario.parse_terms(outcome.terms)) - (a.minimum or 0) for a in scenario.advocates]
        assert math.prod(gains) >= 0.9 * best.nash.value
        assert not any(isinstance(e.event, Discussed | ProposalTabled) for e in log)
        assert outcome.turns == 4 * len(scenario.names)
    assert agreed >= 15


def test_many_packages_take_a_first_round_about_the_options() -> None:
    import random

    rng = random.Random(4)
    issues = tuple(Issue(f"i{k}", tuple("abcde")) for k in range(7))  # 78,125 packages
    seats = []
    for name in "PQR":
        scores = tuple(tuple(float(rng.randrange(100)) for _ in "abcde") for _ in issues)
        seats.append(Advocate(name, scores=scores, minimum=350.0, red_lines=(build_minimum_line(name, 350.0),)))
    scenario = Scenario("many", issues, tuple(seats))
    outcome, log, _ = play(scenario, {n: RuleAdvocate() for n in scenario.names})
    assert outcome.status is Status.DONE
    assert outcome.turns <= 30
    assert sum(isinstance(e.event, BallotOpened) for e in log) in (9, 12)
    found = find_optima(scenario)
    assert found is not None
    gains = [a.score(scenario.parse_terms(outcome.terms)) - 350.0 for a in seats]
    assert math.prod(gains) >= 0.95 * found.nash.value


def test_where_one_casts_no_ballot_the_table_talks_in_words() -> None:
    """And nobody is asked for a ballot."""
    scenario = next(s for s in map(generated, range(50)) if any(map(s.is_permitted, s.iterate_outcomes())))
    seats = {n: RuleAdvocate(1, ballots=n != scenario.names[-1]) for n in scenario.names}
    _, log, _ = play(scenario, seats)
    assert not any(isinstance(e.event, BallotCommitted | BallotForfeited) for e in log)
    assert any(isinstance(e.event, CheckCalled) for e in log)


class Greedy(RuleAdvocate):
    """Claims nothing but the best, and asks for consent to something else when that has come to nothing."""

    def _find_utility(self, words: object, about: object) -> object:  # type: ignore[override]
        own = super()._find_utility(words, about)  # type: ignore[arg-type]
        if not getattr(own, "lifted", False):
            own.minimum += 0.98 * own.room
            own.room *= 0.02
            own.lifted = True  # type: ignore[attr-defined]
        return own

    async def answer(self, ask: Ask, view: View) -> Reply:
        """A late step back, in a check of its own."""
        reply = await super().answer(ask, view)
        if ask.kind == "turn" and reply.body is not None and reply.body["move"] == "pass" and ask.about["may_check"]:
            return Reply({"move": "check", "terms": {n: i["options"][0] for n, i in ask.about["issues"].items()}})
        return reply


def test_a_ballot_is_cast_once_and_what_is_tabled_afterwards_is_refused() -> None:
    tried = 0
    for seed in range(40):
        scenario = generated(seed, parties=(3, 3))
        if not any(map(scenario.is_permitted, scenario.iterate_outcomes())):
            continue
        seats = {n: Greedy(1) if n == scenario.names[0] else RuleAdvocate(1) for n in scenario.names}
        first = scenario.advocates[0]
        top = max(first.score(o) for o in scenario.iterate_outcomes() if not scenario.find_crossed_lines(first.name, o))
        enough = first.floor + 0.98 * (top - first.floor)
        if any(scenario.is_permitted(o) and first.score(o) >= enough - 1e-6 for o in scenario.iterate_outcomes()):
            continue
        tried += 1
        outcome, log, _ = play(scenario, seats)
        assert outcome.status is Status.INCOMPLETE
        assert any(isinstance(e.event, CheckCalled) and e.event.by == first.name for e in log)
    assert tried >= 3


@pytest.mark.parametrize("count", [7, 8])
def test_seven_advocates_fit_ballots_into_thirty_turns_and_eight_talk(count: int) -> None:
    issue = Issue("x", ("a", "b"))
    seats = tuple(Advocate(f"p{n}", scores=((1.0, 2.0),)) for n in range(count))
    outcome, log, _ = play(Scenario("x", (issue,), seats), {f"p{n}": RuleAdvocate() for n in range(count)})
    assert sum(isinstance(e.event, BallotOpened) for e in log) == (7 if count == 7 else 0)
    assert outcome.status is Status.DONE
