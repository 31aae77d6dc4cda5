"""The projection says who decided, and what the gates said; a setting that cannot be is said in words."""

from __future__ import annotations

import pytest

from graphbus_core.config import SafetyConfig
from graphbus_core.errors import ConfigError
from graphbus_core.negotiation.core.ports import Entry
from graphbus_core.negotiation.proposal.config import ProposalConfig
from graphbus_core.negotiation.proposal.events import CommitFailed
from graphbus_core.negotiation.proposal.negotiation_log import NegotiationLog
from tests.negotiation.paper import add, arbiter, negotiate, pipeline, proposals, propose, script

AGENTS, LINKS = pipeline()


def told(ran):
    """The proposals of the projection, by who made them."""
    log = NegotiationLog(Entry(i + 1, fact, None) for i, fact in enumerate(ran.events))
    return {p["proposer"]: p for r in log.to_dict()["rounds"] for p in r["proposals"]}


def test_a_bound_that_refused_what_all_agreed_on_decided_it():
    """Not the consensus that came to nothing."""
    table = {
        "A.propose": proposals(propose(add("A", "make", "s"))),
        "C.propose": proposals(propose(add("C", "use", "n"))),
    }
    ran = negotiate(AGENTS, LINKS, script(table), max_total_file_changes=1)
    assert [(p["outcome"], p["decided_by"]) for p in told(ran).values()] == [
        ("committed", "unanimous"),
        ("rejected", "limit"),
    ]


def test_a_gate_that_refused_what_all_agreed_on_decided_it():
    """And it is named, with its reason and with those that were passed before it."""
    table = {"A.propose": proposals(propose(add("A", "make", "s")))}
    ran = negotiate(AGENTS, LINKS, script(table), fail=lambda about: "a test fails")
    (failed,) = told(ran).values()
    assert (failed["outcome"], failed["decided_by"]) == ("commit_failed", "verify")
    assert failed["gates"] == {"passed": [], "failed": {"gate": "verify", "reason": "a test fails"}}


def test_a_failed_commit_of_an_older_log_is_read():
    """It did not say which gates were passed."""
    old = {"audience": ["A"], "round": 1, "proposal_id": "p-1", "gate": "verify", "why": "no"}
    assert CommitFailed.from_dict(old).passed == ()


def test_an_arbiter_that_is_none_is_refused_in_words():
    """With those that there are; no empty brackets where there are none."""
    for agents, says in ((AGENTS, "nobody here is an arbiter"), ((*AGENTS, arbiter()), "the arbiters are Judge")):
        config = ProposalConfig(agents, LINKS, safety=SafetyConfig(arbiter_agents=["A"]))
        with pytest.raises(ConfigError, match=f"has no IS_ARBITER = True; {says}"):
            config.validate()
