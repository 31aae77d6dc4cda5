"""The same result in fewer rounds: identical proposals, defaults, and those who lost to one that fell."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from graphbus_core.logs.memory import MemoryLog
from graphbus_core.negotiation.core import Ask, Session
from graphbus_core.negotiation.proposal import ProposalConfig, ProposalProtocol
from tests.negotiation.paper import Ran, add, arbiter, negotiate, pipeline, proposals, propose, script

AGENTS, LINKS = pipeline()
JUDGED, _ = pipeline(arbiter())
ADD = add("A", "make", "src")


def by_default(value: str) -> dict[str, Any]:
    """The field, with this default."""
    return add("A", "make", "src", default=value)


def choose(proposer: str) -> Any:
    """A ruling for this one's proposal."""

    def rule(ask: Ask) -> dict[str, Any]:
        chosen = next(p["proposal_id"] for p in ask.about["proposals"] if p["proposer"] == proposer)
        return {"decision": "accept", "ruling": "the simpler", "proposal_id": chosen}

    return rule


def three(fails: tuple[str, ...] = (), **more: Any) -> Ran:
    """A wants a field as str, B as int or else as bool; the judge chooses A's. Types of `fails` fall at a gate."""
    want = {kind: propose(add("A", "make", "src", kind)) for kind in ("str", "int", "bool")}
    table = {"A.propose": proposals(want["str"]), "B.propose": proposals(want["int"], want["bool"])}

    def fail(about: Any) -> str | None:
        return "the tests fail" if about["diff"][0]["type"] in fails else None

    more = {"max_negotiation_rounds": 1, "max_proposals_per_round": 2, **more}
    return negotiate(JUDGED, LINKS, script({**table, "arbitrate": choose("A")}), fail=fail, **more)


def ends(ran: Ran) -> list[str]:
    """What became of the proposals, in their order."""
    return [p.outcome for p in ran.outcome.proposals]


def test_identical_proposals_are_one() -> None:
    """However they are worded: the second is dropped, with the name of the first, and charged to nobody."""
    other = propose({**ADD, "description": "where it came from"}, summary="another wording")
    ran = negotiate(AGENTS, LINKS, script({"A.propose": proposals(propose(ADD)), "B.propose": proposals(other)}))
    (dropped,) = ran.of("proposal_dropped")
    assert dropped.limit == "identical"
    assert ran.of("proposal_tabled")[0].proposal["proposal_id"] in dropped.why
    assert len(ran.of("proposal_committed")) == 1
    assert ran.asked("evaluate") == [("B", 1)]


def test_another_default_alone_needs_no_arbiter() -> None:
    """The first lands; the other hears that its ground moved. Two types of one field are a conflict as ever."""
    table = {"A.propose": proposals(propose(by_default("''"))), "B.propose": proposals(propose(by_default("'-'")))}
    ran = negotiate(AGENTS, LINKS, script(table), max_negotiation_rounds=1)
    assert not ran.of("arbitration_opened")
    assert ends(ran) == ["committed", "superseded"]
    other = {**table, "B.propose": proposals(propose(add("A", "make", "src", "int")))}
    assert negotiate(AGENTS, LINKS, script(other), max_negotiation_rounds=1).of("arbitration_opened")


def test_a_loser_is_heard_again_when_the_winner_falls() -> None:
    """In the same round, and nobody is asked twice."""
    ran = three(("str",))
    assert ends(ran) == ["commit_failed", "committed", "rejected"]
    (again,) = ran.of("proposal_heard_again")
    assert "commit_failed" in again.why
    assert len(ran.asked("arbitrate")) == 1
    assert len(ran.asked("evaluate")) == 3


def test_one_after_the_other_while_they_fall() -> None:
    """The next loser has its turn when the one before it falls, too; nobody has two."""
    ran = three(("str", "int"))
    assert ends(ran) == ["commit_failed", "commit_failed", "committed"]
    ran = three(("str", "int", "bool"))
    assert set(ends(ran)) == {"commit_failed"}
    assert len(ran.of("proposal_heard_again")) == 2


def test_nobody_is_heard_again_where_the_winner_lands() -> None:
    """The conflict stands, and the ruling with it."""
    ran = three()
    assert ends(ran) == ["committed", "rejected", "rejected"]


def test_what_its_evaluators_had_not_agreed_to_stays_rejected() -> None:
    """The conflict was not all that spoke against it."""
    table = {
        "A.propose": proposals(propose(add("A", "make", "src"))),
        "B.propose": proposals(propose(add("A", "make", "src", "int"), affected_agents=["C"])),
        "C.evaluate": {"decision": "reject", "reasoning": "no"},
        "arbitrate": choose("A"),
    }
    ran = negotiate(JUDGED, LINKS, script(table), fail=lambda about: "no", max_negotiation_rounds=1)
    assert ran.of("arbitration_opened")
    assert not ran.of("proposal_heard_again")


@pytest.mark.parametrize("fails", [(), ("str",), ("str", "int")])
def test_a_log_keeps_the_rules_that_it_was_begun_with(fails: tuple[str, ...]) -> None:
    """One of the first edition says no edition, and is read and continued by the first edition's rules."""
    ran = three(fails, edition=1)
    assert "edition" not in ran.of("negotiation_opened")[0].settings
    assert not ran.of("proposal_heard_again")
    assert ProposalConfig.from_opened(ran.of("negotiation_opened")[0]).edition == 1
    assert replace(ran.config, edition=2).build_opening().settings["edition"] == 2


def test_a_log_with_it_is_folded_again() -> None:
    """Fact by fact, as after a crash: the same state, and nothing left to follow."""
    log = MemoryLog()
    ran = three(("str",), log=log)
    session = Session(ProposalProtocol(), ProposalConfig.from_opened(ran.of("negotiation_opened")[0]), log)
    assert session.outcome == ran.outcome
