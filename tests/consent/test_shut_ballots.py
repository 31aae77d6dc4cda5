"""Ballots stay shut until all are in: nobody changes one that is bound, and one that stays shut costs its seat."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.negotiation.consent.certificate import build_certificate, find_log_faults
from graphbus_core.negotiation.consent.events import (
    BallotCommitted,
    BallotForfeited,
    BallotOpened,
    CheckCalled,
    ConsentConfig,
    Consented,
    MasksTold,
    Outcome,
    Passed,
    Status,
)
from graphbus_core.negotiation.consent.optimum.search import find_optima
from graphbus_core.negotiation.consent.protocol import ConsentProtocol
from graphbus_core.negotiation.consent.scenario.model import (
    Advocate,
    Conditional,
    Forbidden,
    Issue,
    Preferences,
    RedLine,
    Scenario,
    build_minimum_line,
)
from graphbus_core.negotiation.consent.shut_ballots import BallotBox, compute_commitment
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.consent.verification import verify_record
from graphbus_core.negotiation.core import Ask, Driver, Reply, Session, View
from graphbus_core.participants.advocates import RuleAdvocate

OPTIONS = tuple("abcdef")
# What each seat wants, in the order of the options; a deal exists for any group of them.
WANTS = {"P": (9, 8, 6, 5, 2, 0), "Q": (0, 3, 6, 7, 8, 9), "R": (2, 5, 9, 8, 4, 1), "S": (1, 2, 7, 9, 5, 3)}


def table(names: str) -> Scenario:
    """One issue; everybody needs a total of two."""
    seats = tuple(
        Advocate(n, scores=(tuple(map(float, WANTS[n])),), minimum=2.0, red_lines=(build_minimum_line(n, 2.0),))
        for n in names
    )
    return Scenario("which", (Issue("x", OPTIONS),), seats, preferences=Preferences.PRIVATE)


def play(scenario: Scenario, seats: Mapping[str, Any], max_turns: int = 30) -> tuple[Outcome, list[Any]]:
    """One table to its end; its log follows from itself, and its certificate can be computed again."""
    log, config = MemoryLog(), ConsentConfig(scenario, max_turns)
    session: Session[State, Outcome] = Session(ConsentProtocol(), config, log)
    outcome = asyncio.run(Driver(seats, MemoryAnswers()).run(session))
    events = [e.event for e in log]
    assert find_log_faults(config, events) == []
    assert Session(ConsentProtocol(), config, MemoryLog(events)).outcome == outcome
    if outcome.status is Status.DONE:
        record = build_certificate(
            scenario, scenario.parse_terms(outcome.terms), outcome.consented, (), outcome.forfeited
        )
        assert verify_record(scenario, record) == []
    return outcome, events


class Bent(RuleAdvocate):
    """An honest advocate, but for its answers to one kind of question."""

    def __init__(self, kind: str, change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
        super().__init__(1, "bent")
        self.kind, self.change = kind, change

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The honest answer, changed."""
        reply = await super().answer(ask, view)
        return Reply(self.change(dict(reply.body or {}))) if ask.kind == self.kind else reply


def shut(body: dict[str, Any]) -> None:
    """No answer."""


def falsify(body: dict[str, Any]) -> dict[str, Any]:
    """Another ballot than the one that was committed to."""
    return {**body, "ballot": body["ballot"][::-1]}


def honest_best(names: str) -> str:
    """The option with the greatest product of gains."""
    gains = {o: [WANTS[n][i] - 2 for n in names] for i, o in enumerate(OPTIONS)}
    fine = {o: g for o, g in gains.items() if min(g) >= 0}

    def product(option: str) -> float:
        total = 1.0
        for gain in fine[option]:
            total *= gain
        return total

    return max(fine, key=product)


@pytest.mark.parametrize("names", ["PQ", "PQR", "PQRS"])
def test_all_commit_before_the_first_ballot_opens(names: str) -> None:
    """And the deal is the best one for all, two parties as well."""
    outcome, events = play(table(names), {n: RuleAdvocate() for n in names})
    assert outcome.terms == {"x": honest_best(names)}
    steps = [type(e) for e in events if isinstance(e, BallotCommitted | BallotOpened)]
    assert steps == [BallotCommitted] * len(names) + [BallotOpened] * len(names)
    assert outcome.turns == 4 * len(names)


@pytest.mark.parametrize("names", ["PQ", "PQR", "PQRS"])
@pytest.mark.parametrize(("kind", "change"), [("commit", shut), ("open", shut), ("open", falsify)])
def test_a_ballot_that_stays_shut_costs_its_seat_the_say_and_the_others_nothing(
    names: str, kind: str, change: Callable[[dict[str, Any]], dict[str, Any] | None]
) -> None:
    """What the others come to is what they would have come to alone."""
    seats = {n: Bent(kind, change) if n == names[0] else RuleAdvocate() for n in names}
    outcome, events = play(table(names), seats)
    assert outcome.status is Status.DONE
    assert outcome.forfeited == (names[0],)
    assert outcome.terms == {"x": honest_best(names[1:])}
    assert {e.advocate for e in events if isinstance(e, Consented)} == set(names[1:])
    told = [e for e in events if isinstance(e, MasksTold)]
    assert {e.advocate for e in told} == set(names[1:])
    assert all(set(e.seeds) == {names[0]} for e in told), "no mask among those who kept to it is told"


def test_two_who_stay_shut_and_one_who_tells_a_false_seed_stop_nobody_else() -> None:
    false = Bent("unmask", lambda body: {"seeds": dict.fromkeys(body["seeds"], "0" * 64)})
    outcome, events = play(
        table("PQRS"), {"P": Bent("open", shut), "Q": false, "R": RuleAdvocate(), "S": RuleAdvocate()}
    )
    assert outcome.forfeited == ("P", "Q")
    assert outcome.terms == {"x": honest_best("RS")}
    assert [e.round for e in events if isinstance(e, BallotForfeited)] == [0, 0]
    everyone = {n: Bent("open", shut) for n in "PQR"}
    assert play(table("PQR"), everyone)[0].reason == "nobody opened its ballot"


class Reader(RuleAdvocate):
    """Sees every ballot that opened before its own, and opens the one that would serve it best, were it not bound."""

    def __init__(self, opened: dict[str, Any]) -> None:
        super().__init__(1)
        self.opened = opened

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Waits until all others are open; then another ballot."""
        reply = await super().answer(ask, view)
        if ask.kind != "open":
            return reply
        while len(self.opened) < len(ask.about["advocates"]) - 1:
            await asyncio.sleep(0)
        return Reply(falsify(dict(reply.body or {})))


class Watched(RuleAdvocate):
    """An honest advocate whose opened ballot is seen at once."""

    def __init__(self, opened: dict[str, Any]) -> None:
        super().__init__(1)
        self.opened = opened

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Honest, and overheard."""
        reply = await super().answer(ask, view)
        if ask.kind == "open":
            self.opened[ask.to] = reply.body
        return reply


def test_who_reads_the_others_first_can_only_lose() -> None:
    opened: dict[str, Any] = {}
    seats = {"P": Reader(opened), "Q": Watched(opened), "R": Watched(opened)}
    outcome, _ = play(table("PQR"), seats)
    assert outcome.forfeited == ("P",)
    assert outcome.terms == {"x": honest_best("QR")}


class Wrecker(RuleAdvocate):
    """Calls its own check before anybody else can."""

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Its best, whatever the ballots came to."""
        if ask.kind == "turn" and ask.about["proposal"] is None:
            return Reply({"move": "check", "terms": {"x": "a"}})
        return await super().answer(ask, view)


def test_a_check_of_something_else_takes_turns_and_not_the_deal() -> None:
    outcome, events = play(table("PQR"), {n: Wrecker() if n == "P" else RuleAdvocate() for n in "PQR"})
    assert outcome.terms == {"x": honest_best("PQR")}
    assert [e.terms["x"] for e in events if isinstance(e, CheckCalled)] == ["a", honest_best("PQR")]


def test_who_stayed_shut_takes_no_turn_and_calls_no_check() -> None:
    class Loud(Wrecker):
        async def answer(self, ask: Ask, view: View) -> Reply:
            assert ask.kind not in ("turn", "consent"), "it has no say"
            return Reply(None) if ask.kind == "open" else await super().answer(ask, view)

    assert play(table("PQR"), {"P": Loud(), "Q": RuleAdvocate(), "R": RuleAdvocate()})[0].status is Status.DONE


def test_a_commitment_binds_name_round_ballot_salt_and_masks() -> None:
    base = ("P", 0, "ballot", "salt", {"Q": "0" * 64})
    others = [("Q", *base[1:]), ("P", 1, *base[2:]), ("P", 0, "b", "salt", base[4]), (*base[:3], "t", base[4])]
    others.append((*base[:4], {"Q": "1" * 64}))
    assert len({compute_commitment(*args) for args in (base, *others)}) == 6


def test_without_everybodys_key_or_the_turns_for_it_no_ballot_is_asked_for() -> None:
    seats = {"P": RuleAdvocate(ballots=False), "Q": RuleAdvocate(), "R": RuleAdvocate()}
    for outcome, events in (play(table("PQR"), seats), play(table("PQR"), {n: RuleAdvocate() for n in "PQR"}, 11)):
        assert outcome.turns <= 30
        assert not any(isinstance(e, BallotCommitted | BallotForfeited) for e in events)
    disclosed = replace(table("PQR"), preferences=Preferences.DISCLOSED)
    assert not any(isinstance(e, BallotCommitted) for e in play(disclosed, {n: RuleAdvocate() for n in "PQR"})[1])
    assert BallotBox(tuple("PQRST"), (200, 200)).least_turns == 30, "five at a large table fit the seed's thirty turns"


def test_the_start_says_how_many_turns_the_ballots_need(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from graphbus_core.sessions.consent.preparation import Request, prepare

    monkeypatch.chdir(tmp_path)
    seats = "".join(f"  P{n}: {{scores: {{x: {{a: {n}, b: 1}}}}}}\n" for n in range(8))
    (tmp_path / "eight.yaml").write_text(f"topic: x\npreferences: private\nissues: {{x: [a, b]}}\nadvocates:\n{seats}")
    notice = prepare(Request("eight.yaml")).notice
    assert notice is not None
    assert "--max-turns 32" in notice
    assert prepare(Request("eight.yaml", max_turns=32)).notice is None


def test_what_was_not_weighed_is_said() -> None:
    """A large table without any deal: it ends with how many packages were weighed, and says no more than that."""
    size, issues = 6**6, tuple(Issue(f"i{n}", tuple("abcdef")) for n in range(6))
    ruled_out = {"P": frozenset(range(5)), "Q": frozenset({5})}
    seats = tuple(
        Advocate(n, scores=((0.0,) * 6,) * 6, red_lines=(RedLine(n, Forbidden({0: options}), "f"),))
        for n, options in ruled_out.items()
    )
    table = Scenario("large", issues, seats, preferences=Preferences.PRIVATE)
    short, events = play(table, {n: RuleAdvocate() for n in "PQ"}, 12)
    assert short.status is Status.INCOMPLETE
    said = [e.why for e in events if isinstance(e, Passed)]
    assert any(f"likeliest of {size} packages" in why for why in said), said


@pytest.mark.parametrize("seed", [3, 4])
def test_a_deal_is_found_where_scores_depend_on_each_other(seed: int) -> None:
    """32,768 packages, more than one ballot holds; each seat wants combinations of two issues and nothing else."""
    rng, issues = random.Random(seed), tuple(Issue(f"i{n}", tuple("abcdefgh")) for n in range(5))
    seats = []
    for name in "PQ":
        wanted = []
        for _ in range(15):
            when = {i: frozenset(rng.sample(range(8), 5)) for i in rng.sample(range(5), 2)}
            wanted.append(Conditional(when, float(rng.randrange(1, 10))))
        least = 0.4 * sum(c.score for c in wanted)
        lines = (build_minimum_line(name, least),)
        seats.append(
            Advocate(name, scores=((0.0,) * 8,) * 5, conditionals=tuple(wanted), minimum=least, red_lines=lines)
        )
    table = Scenario("combinations", issues, tuple(seats), preferences=Preferences.PRIVATE)
    best = find_optima(table)
    assert best is not None
    outcome, _ = play(table, {n: RuleAdvocate() for n in "PQ"}, 30)
    assert outcome.status is Status.DONE
    gains = [a.score(table.parse_terms(outcome.terms)) - a.floor for a in seats]
    assert math.prod(gains) >= 0.9 * best.nash.value
