"""Every reading of design §6, and the traps of §2 that concern proposals: one test each, named for what must hold."""

from __future__ import annotations

import pytest

from graphbus_core.cli.negotiation_text import render_headline
from graphbus_core.errors import ConfigError
from graphbus_core.negotiation.core import Entry
from graphbus_core.negotiation.proposal.negotiation_log import NegotiationLog
from tests.negotiation.paper import (
    ACCEPT,
    REJECT,
    add,
    agent,
    arbiter,
    link,
    negotiate,
    pipeline,
    proposals,
    propose,
    script,
)

AGENTS, LINKS = pipeline()
JUDGED, _ = pipeline(arbiter())
ADD = add("A", "make", "src")
RENAME = {"op": "rename_field", "node": "A", "method": "make", "side": "output", "field": "x", "to": "w"}
RENAME_Y = {"op": "rename_field", "node": "B", "method": "take", "side": "output", "field": "y", "to": "v"}


def by(ask, **decisions):
    """Evaluate by who proposed."""
    return decisions.get(ask.about["proposal"]["proposer"], ACCEPT)


# ------------------------------------------------------------------------------------------------- who evaluates


def test_only_affected_and_listed_agents_see_a_proposal():
    """Seed 000: agents not listed as affected do not see this proposal at all."""
    ran = negotiate(AGENTS, LINKS, script({"A.propose": proposals(propose(ADD, affected_agents=["C", "Nobody"]))}))
    assert sorted(ran.asked("evaluate")) == [("B", 1), ("C", 1)]
    tabled = ran.of("proposal_tabled")[0]
    assert tabled.evaluators == ("B", "C")
    assert tabled.electorate == ("B",)
    ran = negotiate(AGENTS, LINKS, script({"A.propose": proposals(propose(ADD))}))
    assert ran.asked("evaluate") == [("B", 1)]
    assert ran.of("proposal_tabled")[0].seen_by() == ("A", "B")


def test_a_proposer_cannot_leave_an_affected_peer_out():
    """Design §6.2: the engine computes who is affected; the owner of every touched class evaluates too."""
    both = propose(ADD, add("B", "take", "more"), affected_agents=[])
    ran = negotiate(AGENTS, LINKS, script({"A.propose": proposals(both)}))
    assert sorted(ran.asked("evaluate")) == [("B", 1), ("C", 1)]


def test_where_nobody_is_affected_the_neighbours_are_asked():
    """Design §6.2."""
    body = {"op": "replace_body", "node": "B", "method": "take", "body": "return {'y': 1}"}
    ran = negotiate(AGENTS, LINKS, script({"B.propose": proposals(propose(body, type="logic_improvement"))}))
    assert sorted(ran.asked("evaluate")) == [("A", 1), ("C", 1)]
    assert ran.fate("B").type == "logic_improvement"


def test_where_there_are_no_neighbours_the_gates_alone_decide():
    """Design §6.2."""
    lone = (agent("Lone", {"m": ({}, {"a": int})}),)
    ran = negotiate(lone, (), script({"Lone.propose": proposals(propose(add("Lone", "m", "b")))}))
    assert ran.asked("evaluate") == []
    assert (ran.fate("Lone").outcome, ran.fate("Lone").consensus) == ("committed", "gates")


def test_a_friends_accept_is_not_the_one_that_a_commit_needs():
    """Design §6.2: listed friends can object, but the real accept must come among those affected."""
    table = {"A.propose": proposals(propose(ADD, affected_agents=["C"])), "B.evaluate": None, "C.evaluate": ACCEPT}
    ran = negotiate(AGENTS, LINKS, script(table))
    assert (ran.fate("A").outcome, ran.fate("A").by) == ("rejected", "quorum")


def test_a_friend_can_object():
    """Design §6.2: an objection of a listed friend makes a split."""
    table = {"A.propose": proposals(propose(ADD, affected_agents=["C"])), "C.evaluate": REJECT}
    assert negotiate(AGENTS, LINKS, script(table)).fate("A").by == "no_arbiter"
    ran = negotiate(AGENTS, LINKS, script(table), require_arbiter_on_conflict=False)
    assert ran.fate("A").consensus == "majority"  # counted among those affected alone


# ------------------------------------------------------------------------------------------------ the three paths


def test_unanimous_accept_commits():
    """Seed 000, path 1."""
    ran = negotiate(AGENTS, LINKS, script({"A.propose": proposals(propose(ADD))}))
    fate = ran.fate("A")
    assert (fate.outcome, fate.consensus, fate.files) == ("committed", "unanimous", ("agents/a.py",))
    assert "src" in ran.paper.agents["A"].method("make").output_schema.fields
    record = ran.outcome.commits[0]
    assert (record.proposer, record.evaluators, record.consensus_type) == ("A", ("B",), "unanimous")
    assert record.schema_changes[0].symbol == "A.make"
    assert [e["kind"] for e in record.negotiation_log] == ["proposal", "evaluation"]


def test_rejected_by_all_is_dropped_and_the_proposer_learns_why():
    """Seed 000, path 2: the rejections are the proposer's context in later rounds."""
    ran = negotiate(JUDGED, LINKS, script({"A.propose": proposals(propose(ADD)), "B.evaluate": REJECT}))
    assert ran.fate("A").outcome == "rejected"
    assert ran.asked("arbitrate") == []
    second = next(a for a in ran.seats["A"].asked if a.kind == "propose" and a.about["round"] == 2)
    entry = second.about["history"][0]
    assert entry["outcome"] == "rejected"
    assert entry["evaluations"] == [{"agent": "B", "decision": "reject", "reasoning": "no"}]
    first = next(a for a in ran.seats["A"].asked if a.kind == "propose" and a.about["round"] == 1)
    assert first.about["history"] == []


def split(**more):
    """A proposal that B accepts and C, named by its proposer, rejects."""
    return script({"A.propose": proposals(propose(ADD, affected_agents=["C"])), "C.evaluate": REJECT, **more})


def test_a_split_goes_to_the_arbiter_which_sees_everything():
    """Seed 000, path 3: the proposal, every evaluation, and the history."""
    ran = negotiate(JUDGED, LINKS, split(**{"Judge.arbitrate": {"decision": "accept", "ruling": "it is safe"}}))
    assert (ran.fate("A").outcome, ran.fate("A").consensus, ran.fate("A").arbiter) == ("committed", "arbiter", "Judge")
    about = ran.seats["Judge"].asked[0].about
    assert [e["agent"] for e in about["evaluations"]] == ["B", "C"]
    assert about["proposals"][0]["proposer"] == "A"
    assert list(about["computed"]) == [ran.fate("A").proposal_id]
    assert "history" in about


def test_an_arbiter_may_reject():
    """Seed 000."""
    ran = negotiate(JUDGED, LINKS, split(**{"Judge.arbitrate": {"decision": "reject", "ruling": "too early"}}))
    assert (ran.fate("A").outcome, ran.fate("A").by, ran.fate("A").why) == ("rejected", "arbiter", "too early")


def test_an_arbiter_may_accept_with_its_own_diff():
    """Seed 000, accept_modified."""
    ruling = {"decision": "accept_modified", "ruling": "shorter", "committed_diff": [add("A", "make", "s")]}
    ran = negotiate(JUDGED, LINKS, split(**{"Judge.arbitrate": ruling}))
    assert ran.fate("A").outcome == "committed"
    assert "s" in ran.paper.agents["A"].method("make").output_schema.fields
    assert "src" not in ran.paper.agents["A"].method("make").output_schema.fields


def test_a_split_ruling_commits_a_part_and_queues_the_rest():
    """Seed 000, split: part committed, part deferred as a new proposal."""
    two = proposals(propose(ADD, add("A", "make", "more"), affected_agents=["C"]))
    ruling = {"decision": "split", "ruling": "one by one", "committed_diff": [ADD], "deferred_proposals": ["later"]}
    table = {"A.propose": two, "C.evaluate.1": REJECT, "Judge.arbitrate": ruling}
    ran = negotiate(JUDGED, LINKS, script(table), max_negotiation_rounds=3)
    assert [p.outcome for p in ran.outcome.proposals] == ["committed", "committed"]
    rest = ran.fate("A", 1)
    assert (rest.origin, rest.round, rest.proposal["answers_to"]) == ("deferred", 2, ran.fate("A").proposal_id)
    assert [op["field"] for op in rest.diff] == ["more"]


def test_a_split_without_an_arbiter_is_rejected_as_such():
    """Design §6.4."""
    assert negotiate(AGENTS, LINKS, split()).fate("A").by == "no_arbiter"


def test_without_an_arbiter_a_majority_may_decide_and_a_tie_is_no():
    """Design §6.4."""
    four = (*AGENTS, agent("D", {"also": ({"x": str}, {"q": int})}), agent("E", {"too": ({"x": str}, {"q": int})}))
    links = (*LINKS, link("A.make", "D.also"), link("A.make", "E.too"))
    one_no = {"A.propose": proposals(propose(ADD)), "D.evaluate": REJECT}
    ran = negotiate(four, links, script(one_no), require_arbiter_on_conflict=False)
    assert (ran.fate("A").outcome, ran.fate("A").consensus) == ("committed", "majority")
    tie = {**one_no, "E.evaluate": None}
    ran = negotiate(four, links, script(tie), require_arbiter_on_conflict=False)
    assert (ran.fate("A").outcome, ran.fate("A").by) == ("rejected", "majority")


# ------------------------------------------------------------------------------------------- decisions and counters


def test_a_modification_is_queued_and_stands_in_the_next_round():
    """Seed 000: accept_with_modification accepts, and its counter-proposal is a new proposal next round."""
    more = {**ACCEPT, "decision": "accept_with_modification", "counter_proposal": propose(add("B", "take", "src"))}
    ran = negotiate(AGENTS, LINKS, script({"A.propose": proposals(propose(ADD)), "B.evaluate.1": more}))
    assert ran.fate("A").outcome == "committed"
    mine = ran.fate("B")
    assert (mine.outcome, mine.round, mine.origin) == ("committed", 2, "modification")
    assert mine.proposal["answers_to"] == ran.fate("A").proposal_id


def test_a_counter_rejects_and_is_queued():
    """Design §6.1."""
    no = {"decision": "counter", "counter_proposal": propose(add("B", "take", "alt"))}
    ran = negotiate(AGENTS, LINKS, script({"A.propose": proposals(propose(ADD)), "B.evaluate.1": no}))
    assert (ran.fate("A").outcome, ran.fate("B").outcome, ran.fate("B").origin) == ("rejected", "committed", "counter")


def test_a_counter_is_charged_to_the_total_but_not_to_the_round():
    """Design §6.8."""
    no = {"decision": "counter", "counter_proposal": propose(add("B", "take", "alt"))}
    table = {
        "A.propose": proposals(propose(ADD)),
        "B.evaluate.1": no,
        "B.propose.2": proposals(propose(add("B", "take", "own"))),
        "B.propose.3": proposals(propose(add("B", "take", "third"))),
    }
    ran = negotiate(AGENTS, LINKS, script(table), max_proposals_per_agent=2, max_negotiation_rounds=3)
    assert [p.round for p in ran.outcome.proposals if p.proposer == "B"] == [2, 2]
    assert ("B", 3) not in ran.asked("propose")


def test_a_chain_of_answers_is_bounded():
    """Design §6.8: at most max_back_and_forth deep; what goes over is an event."""

    def ping(ask):
        field = f"f{ask.about['round']}"
        node = {"B": "B", "A": "A"}.get(ask.to, ask.to)
        method = {"A": "make", "B": "take", "C": "use"}[node]
        return {"decision": "counter", "counter_proposal": propose(add(node, method, field), affected_agents=["A"])}

    ran = negotiate(
        AGENTS,
        LINKS,
        script({"A.propose": proposals(propose(ADD)), "evaluate": ping}),
        max_negotiation_rounds=9,
        max_back_and_forth=2,
        max_proposals_per_agent=9,
    )
    assert max(p.proposal["depth"] for p in ran.outcome.proposals if p.outcome != "dropped") == 2
    assert {p.by for p in ran.outcome.select_by_outcome("dropped")} == {"max_back_and_forth"}


def test_a_defer_is_asked_again_and_runs_out():
    """Design §6.1: asked again next round, at most max_back_and_forth times; then it is silence."""
    table = {"A.propose": proposals(propose(ADD)), "B.evaluate": {"decision": "defer"}}
    ran = negotiate(AGENTS, LINKS, script(table), max_negotiation_rounds=9, max_back_and_forth=2)
    assert [r for who, r in ran.asked("evaluate") if who == "B"] == [1, 2, 3]
    assert (ran.fate("A").outcome, ran.fate("A").by) == ("rejected", "quorum")


def test_a_defer_that_turns_into_an_accept_commits():
    """Design §6.1."""
    table = {"A.propose": proposals(propose(ADD)), "B.evaluate.1": {"decision": "defer"}, "B.evaluate.2": ACCEPT}
    ran = negotiate(AGENTS, LINKS, script(table), max_negotiation_rounds=3)
    assert ran.fate("A").outcome == "committed"
    assert "proposal_stood_again" in ran.kinds()


def test_what_the_last_round_leaves_queued_is_unheard():
    """Design §6.8."""
    more = {"decision": "accept_with_modification", "counter_proposal": propose(add("B", "take", "src"))}
    table = {"A.propose": proposals(propose(ADD)), "B.evaluate.1": more}
    ran = negotiate(AGENTS, LINKS, script(table), max_negotiation_rounds=1)
    assert ran.outcome.unheard == (ran.fate("B").proposal_id,)
    assert ran.fate("B").outcome == "unheard"


def test_what_the_last_round_leaves_deferred_is_deferred():
    """Seed 000 counts them in `deferred`."""
    table = {"A.propose": proposals(propose(ADD)), "B.evaluate": {"decision": "defer"}}
    ran = negotiate(AGENTS, LINKS, script(table), max_negotiation_rounds=1)
    assert ran.outcome.deferred == (ran.fate("A").proposal_id,)


# ----------------------------------------------------------------------------------------------- breaking changes


def test_trap_3_a_breaking_change_in_disguise_is_computed():
    """The proposer's label is a claim: renamed under the label schema_extension, one reject is enough."""
    table = {"A.propose": proposals(propose(RENAME, affected_agents=["C"])), "C.evaluate": REJECT}
    ran = negotiate(JUDGED, LINKS, script({**table, "Judge.arbitrate": ACCEPT}))
    assert (ran.fate("A").type, ran.fate("A").outcome) == ("breaking_change", "rejected")
    assert ran.asked("arbitrate") == []
    broken = ran.fate("A").computed["breaks"][0]
    assert broken["link"] == "A.make => B.take"
    assert broken["counterexample"] is not None


def test_trap_3_holds_for_the_arbiters_diff_too():
    """An arbiter cannot bring a breaking change in by the back door."""
    ruling = {"decision": "accept_modified", "committed_diff": [RENAME]}
    ran = negotiate(JUDGED, LINKS, split(**{"Judge.arbitrate": ruling}))
    assert ran.fate("A").outcome == "rejected"
    assert "breaking change" in ran.fate("A").why
    assert ran.paper.applied == []


TAKE = {"op": "rename_field", "node": "B", "method": "take", "side": "input", "field": "items", "to": "things"}


@pytest.mark.parametrize(
    "diff",
    [
        (RENAME, {**TAKE, "field": RENAME["field"], "to": RENAME["to"]}),
        tuple(
            {"op": "retype_field", "node": n, "method": m, "side": s, "field": RENAME["field"], "type": "bytes"}
            for n, m, s in (("A", "make", "output"), ("B", "take", "input"))
        ),
    ],
    ids=["renamed", "retyped"],
)
def test_a_caller_that_must_change_along_is_whom_a_breaking_change_must_convince(diff):
    """Seed 000, type 4: everything fits before and after, and yet one reject is enough, whatever an arbiter says."""
    table = {"A.propose": proposals(propose(*diff, affected_agents=["C"])), "C.evaluate": REJECT}
    ran = negotiate(JUDGED, LINKS, script({**table, "Judge.arbitrate": ACCEPT}))
    fate = ran.fate("A")
    assert (fate.type, fate.outcome, fate.computed["breaks"]) == ("breaking_change", "rejected", [])
    assert fate.computed["together"] == ["A.make => B.take"]
    assert ran.asked("arbitrate") == []
    assert negotiate(JUDGED, LINKS, script({"A.propose": table["A.propose"]})).fate("A").outcome == "committed"


def test_both_ends_of_a_link_may_change_without_breaking_anything():
    """Where each could have changed without the other, as with an optional field that is passed on."""
    both = propose(add("A", "make", "n"), add("B", "take", "n", side="input"))
    fate = negotiate(AGENTS, LINKS, script({"A.propose": proposals(both)})).fate("A")
    assert (fate.type, "together" in fate.computed) == ("schema_extension", False)


def test_a_label_may_be_stricter_than_what_is_computed():
    """Design §6.3: the class is the stricter of the two."""
    careful = proposals(propose(ADD, type="breaking_change", affected_agents=["C"]))
    ran = negotiate(JUDGED, LINKS, script({"A.propose": careful, "C.evaluate": REJECT}))
    assert (ran.fate("A").type, ran.fate("A").outcome) == ("breaking_change", "rejected")
    assert ran.asked("arbitrate") == []


def test_a_breaking_change_with_everybodys_accept_is_committed():
    """Seed 000, type 4; accepted with a modification counts as accepted (design §6.7)."""
    more = {"decision": "accept_with_modification", "counter_proposal": propose(add("B", "take", "q"))}
    ran = negotiate(AGENTS, LINKS, script({"A.propose": proposals(propose(RENAME)), "B.evaluate.1": more}))
    assert (ran.fate("A").type, ran.fate("A").outcome) == ("breaking_change", "committed")


def test_a_breaking_change_falls_where_somebody_is_silent():
    """Design §6.7."""
    table = {"A.propose": proposals(propose(RENAME, affected_agents=["C"])), "C.evaluate": None}
    ran = negotiate(JUDGED, LINKS, script({**table, "Judge.arbitrate": ACCEPT}))
    assert (ran.fate("A").outcome, ran.fate("A").by) == ("rejected", "silence")


def test_a_change_that_mends_a_mismatch_is_no_breaking_change():
    """Seed 000, type 1: the consumer takes the producer's name; its one caller is better off."""
    agents = (agent("A", {"make": ({}, {"items": str})}), agent("B", {"take": ({"headlines": str}, {"y": int})}))
    fix = {"op": "rename_field", "node": "B", "method": "take", "side": "input", "field": "headlines", "to": "items"}
    ran = negotiate(agents, (link("A.make", "B.take"),), script({"B.propose": proposals(propose(fix))}))
    fate = ran.fate("B")
    assert (fate.type, fate.outcome, fate.computed["fixes"]) == ("schema_extension", "committed", ["A.make => B.take"])


# ------------------------------------------------------------------------------------------------------- silence


def test_silence_is_an_abstention_where_the_contracts_are_proved_to_hold():
    """Design §6.7."""
    links = (*LINKS, link("A.make", "D.also"))
    four = (*AGENTS, agent("D", {"also": ({"x": str}, {"q": int})}))
    ran = negotiate(four, links, script({"A.propose": proposals(propose(ADD)), "D.evaluate": None}))
    assert ran.fate("A").outcome == "committed"


def test_silence_is_no_abstention_for_whoevers_class_is_changed():
    """Design §6.7: then the arbiter rules, and without one the proposal falls."""
    both = proposals(propose(ADD, add("B", "take", "more")))
    table = {"A.propose": both, "B.evaluate": None, "Judge.arbitrate": {"decision": "accept"}}
    assert negotiate(AGENTS, LINKS, script(table)).fate("A").by == "no_arbiter"
    assert negotiate(JUDGED, LINKS, script(table)).fate("A").consensus == "arbiter"


def test_trap_4_nobody_affected_accepts_and_the_arbiter_says_yes():
    """A commit needs at least one real accept."""
    table = {
        "A.propose": proposals(propose(ADD, add("B", "take", "more"))),
        "evaluate": None,
        "Judge.arbitrate": {"decision": "accept"},
    }
    ran = negotiate(JUDGED, LINKS, script(table))
    assert (ran.fate("A").outcome, ran.fate("A").by) == ("rejected", "quorum")
    assert ran.paper.applied == []


def test_nonsense_to_the_end_of_the_retries_is_silence():
    """Design §2, blame: refused with the reason, asked again a bounded number of times, then silence."""
    table = {"A.propose": proposals(propose(ADD)), "B.evaluate": {"decision": "maybe"}}
    ran = negotiate(AGENTS, LINKS, script(table))
    assert [a.id for a in ran.seats["B"].asked if a.kind == "evaluate"] == [
        f"1.evaluate.{ran.fate('A').proposal_id}.B{suffix}" for suffix in ("", "#2", "#3")
    ]
    assert "answer_refused" in ran.kinds()
    assert ran.of("evaluator_silent")[0].why.startswith("3 malformed answers")


# ----------------------------------------------------------------------------------------------- the arbiter's seat


def test_trap_5_an_arbiter_does_not_rule_on_its_own_proposal():
    """An arbiter that is also an agent is not an arbiter of its own proposal, nor of one that it evaluated."""
    judge = agent("Judge", {"make": ({}, {"x": str})}, metadata={"is_arbiter": True})
    agents = (judge, *AGENTS[1:])
    links = (link("Judge.make", "B.take"), LINKS[1])
    table = {
        "Judge.propose": proposals(propose(add("Judge", "make", "src"), affected_agents=["C"])),
        "C.evaluate": REJECT,
        "arbitrate": {"decision": "accept"},
    }
    ran = negotiate(agents, links, script(table))
    assert (ran.fate("Judge").outcome, ran.fate("Judge").by) == ("rejected", "no_arbiter")
    ran = negotiate((*agents, arbiter("Second")), links, script(table))
    assert (ran.fate("Judge").outcome, ran.fate("Judge").arbiter) == ("committed", "Second")


def test_arbiters_are_asked_in_the_order_that_is_set():
    """Design §6.13."""
    agents = (*AGENTS, arbiter("Alpha"), arbiter("Beta"))
    table = {"arbitrate": {"decision": "accept"}}
    assert negotiate(agents, LINKS, split(**table)).fate("A").arbiter == "Alpha"
    assert negotiate(agents, LINKS, split(**table), arbiter_agents=["Beta"]).fate("A").arbiter == "Beta"


def test_a_silent_arbiter_is_followed_by_the_next():
    """Design §6.13; without one the proposal falls."""
    agents = (*AGENTS, arbiter("Alpha"), arbiter("Beta"))
    table = {"Alpha.arbitrate": None, "Beta.arbitrate": {"decision": "accept"}}
    assert negotiate(agents, LINKS, split(**table)).fate("A").arbiter == "Beta"
    table = {"Alpha.arbitrate": None, "Beta.arbitrate": None}
    assert negotiate(agents, LINKS, split(**table)).fate("A").by == "no_arbiter"


def test_an_arbiter_that_is_none_is_refused_at_once():
    """A setting that cannot be."""
    with pytest.raises(ConfigError, match="IS_ARBITER"):
        negotiate(AGENTS, LINKS, script({}), arbiter_agents=["B"])


def test_an_arbiters_diff_that_cannot_be_applied_is_refused_and_asked_again():
    """Design §6.12; it may change a diff, not add files to it (§6.8)."""
    answers = iter(
        [
            {"decision": "accept_modified", "committed_diff": {"method": "make", "logic_change": "do it well"}},
            {"decision": "accept_modified", "committed_diff": [add("C", "use", "far")]},
            {"decision": "accept_modified", "committed_diff": [add("A", "make", "s")]},
        ]
    )
    ran = negotiate(JUDGED, LINKS, split(**{"Judge.arbitrate": lambda ask: next(answers)}))
    assert ran.fate("A").outcome == "committed"
    refused = [e.why for e in ran.of("answer_refused")]
    assert "logic_change" in refused[0]
    assert "C" in refused[1]


# ------------------------------------------------------------------------------------------------------ conflicts


def conflict(ruling=None, **more):
    """p (A) and q (B) touch A.make's `f` differently; q and r (C) touch B.take's `g` differently."""
    table = {
        "A.propose": proposals(propose(add("A", "make", "f", "str"))),
        "B.propose": proposals(propose(add("A", "make", "f", "int"), add("B", "take", "g", "str"))),
        "C.propose": proposals(propose(add("B", "take", "g", "int"))),
        "arbitrate": ruling,
        **more,
    }
    return script(table)


def choose(proposer):
    """A ruling that accepts the proposal of `proposer`."""

    def rule(ask):
        chosen = next(p for p in ask.about["proposals"] if p["proposer"] == proposer)
        return {"decision": "accept", "ruling": "this one", "proposal_id": chosen["proposal_id"]}

    return rule


@pytest.mark.parametrize("chosen", ["A", "B", "C"])
def test_trap_2_conflict_is_not_transitive_and_nothing_is_freed_by_accident(chosen):
    """p-q and q-r in conflict go to the arbiter together; whichever it chooses, the other two fall."""
    ran = negotiate(JUDGED, LINKS, conflict(choose(chosen)), max_negotiation_rounds=1)
    case = ran.of("arbitration_opened")[0].cases
    assert [len(c["proposals"]) for c in case] == [3]
    assert case[0]["fields"] == ["A.make.output.f", "B.take.output.g"]
    assert {p.proposer: p.outcome for p in ran.outcome.proposals} == {
        n: "committed" if n == chosen else "rejected" for n in "ABC"
    }


def test_trap_2_the_ground_is_checked_again_at_commit():
    """Two agreed proposals on one symbol: the second is superseded and returned, never force-fitted."""
    table = {
        "A.propose": proposals(propose(add("A", "make", "one"))),
        "B.propose": proposals(propose(add("A", "make", "two"))),
    }
    ran = negotiate(AGENTS, LINKS, script(table))
    assert (ran.fate("A").outcome, ran.fate("B").outcome) == ("committed", "superseded")
    told = next(a for a in ran.seats["B"].asked if a.kind == "propose" and a.about["round"] == 2)
    assert told.about["history"][-1]["outcome"] == "superseded"


def test_trap_2_what_an_arbiter_changed_is_checked_again_too():
    """The arbiter's diff lands on a symbol that another proposal touched: that one is superseded."""
    table = {
        "A.propose": proposals(propose(ADD, add("B", "take", "n"), affected_agents=["C"])),
        "C.propose": proposals(propose(add("B", "take", "m"))),
        "C.evaluate": REJECT,
        "Judge.arbitrate": {"decision": "accept_modified", "committed_diff": [add("B", "take", "k")]},
    }
    ran = negotiate(JUDGED, LINKS, script(table))
    assert (ran.fate("A").outcome, ran.fate("C").outcome) == ("committed", "superseded")


def test_trap_2_an_arbiters_diff_on_a_ground_that_moved_is_superseded():
    """An earlier commit of the round changed what the arbiter's diff touches."""
    table = {
        "A.propose": proposals(propose(add("B", "take", "n"))),
        "C.propose": proposals(propose(add("C", "use", "m"), add("B", "take", "o"), affected_agents=["A"])),
        "A.evaluate": REJECT,
        "Judge.arbitrate": {"decision": "accept_modified", "committed_diff": [add("B", "take", "k")]},
    }
    ran = negotiate(JUDGED, LINKS, script(table))
    assert (ran.fate("C").arbiter, ran.fate("C").outcome) == ("Judge", "superseded")
    assert "k" not in ran.paper.agents["B"].method("take").output_schema.fields


def test_agents_that_share_a_file_do_not_stand_in_each_others_way():
    """Design §6.5: digests are per symbol."""
    agents = (
        agent("A", {"make": ({}, {"x": str})}, source_file="agents/all.py"),
        agent("B", {"take": ({"x": str}, {"y": int})}, source_file="agents/all.py"),
    )
    table = {
        "A.propose": proposals(propose(add("A", "make", "one"))),
        "B.propose": proposals(propose(add("B", "take", "two"))),
    }
    ran = negotiate(agents, (link("A.make", "B.take"),), script(table))
    assert [p.outcome for p in ran.outcome.proposals] == ["committed", "committed"]


def test_a_conflict_without_an_arbiter_is_rejected_as_such():
    """Design §6.4, §6.5."""
    ran = negotiate(AGENTS, LINKS, conflict(), max_negotiation_rounds=1)
    assert {p.by for p in ran.outcome.proposals} == {"no_arbiter"}


def test_the_same_change_twice_is_no_conflict():
    """Two agents that want the very same thing: they are one, and the second costs no evaluation."""
    table = {"A.propose": proposals(propose(ADD)), "B.propose": proposals(propose(ADD))}
    ran = negotiate(AGENTS, LINKS, script(table))
    assert [p.outcome for p in ran.outcome.proposals] == ["committed", "dropped"]


# ---------------------------------------------------------------------------------------------- commits and bounds


def test_a_gate_that_refuses_makes_it_commit_failed_and_the_proposer_hears_why():
    """Seed 000: it rolls back and logs the failure."""
    ran = negotiate(AGENTS, LINKS, script({"A.propose": proposals(propose(ADD))}), fail=lambda about: "3 tests fail")
    assert (ran.fate("A").outcome, ran.fate("A").by, ran.fate("A").why) == ("commit_failed", "verify", "3 tests fail")
    told = next(a for a in ran.seats["A"].asked if a.kind == "propose" and a.about["round"] == 2)
    assert told.about["history"][-1]["why"] == "3 tests fail"


def test_a_person_approves_each_commit_before_anything_is_written():
    """`enable_human_in_loop`: gates in a scratch copy first, then the person, then the files."""
    table = {"A.propose": proposals(propose(ADD)), "human.approve": {"approve": True, "reason": "good"}}
    ran = negotiate(AGENTS, LINKS, script(table), human_in_loop=True)
    assert ran.fate("A").outcome == "committed"
    kinds = ran.kinds()
    assert kinds.index("commit_prepared") < kinds.index("commit_approved") < kinds.index("proposal_committed")


def test_a_persons_proposal_is_that_persons_and_so_is_the_approval():
    """The agent that tables it is its owner; who asked and who approved stand in every view."""
    table = {"A.propose": proposals(propose(ADD)), "human.approve": {"approve": True, "reason": "good"}}
    ran = negotiate(AGENTS, LINKS, script(table), human_in_loop=True, proposed_by={"A": "operator"})
    fate = ran.fate("A")
    assert (fate.proposer, fate.proposed_by, fate.approval) == ("A", "operator", {"by": "human", "reason": "good"})
    log = NegotiationLog([Entry(seq, event) for seq, event in enumerate(ran.events, 1)]).to_dict()
    (told,) = log["rounds"][0]["proposals"]
    assert (told["proposed_by"], told["approved"]["by"]) == ("operator", "human")
    assert "operator, for A" in render_headline(told)
    assert "proposed_by" not in negotiate(AGENTS, LINKS, script(table)).fate("A").proposal


@pytest.mark.parametrize("said", [{"approve": False, "reason": "not now"}, None])
def test_what_a_person_does_not_approve_is_withdrawn(said):
    """Silence is never a yes."""
    table = {"A.propose": proposals(propose(ADD)), "human.approve": said}
    ran = negotiate(AGENTS, LINKS, script(table), human_in_loop=True)
    assert ran.fate("A").outcome == "withdrawn"
    assert ran.paper.applied == []


@pytest.mark.parametrize(
    ("bound", "made"),
    [
        ({"max_proposals_per_round": 1}, [propose(ADD), propose(add("A", "make", "two"))]),
        ({"max_proposals_per_agent": 1, "max_proposals_per_round": 5}, [propose(ADD), propose(add("A", "make", "t"))]),
        ({"max_file_changes_per_commit": 1}, [propose(ADD, add("B", "take", "n"))]),
        ({"max_total_file_changes": 1}, [propose(ADD, add("B", "take", "n"))]),
        ({"protected_files": ["agents/a*.py"]}, [propose(ADD)]),
    ],
)
def test_trap_12_a_proposal_that_a_bound_drops_is_an_event(bound, made):
    """Never a silence in the log."""
    ran = negotiate(AGENTS, LINKS, script({"A.propose": proposals(*made)}), max_negotiation_rounds=1, **bound)
    dropped = ran.of("proposal_dropped")
    assert [d.limit for d in dropped] == [next(iter(bound))]
    assert ran.outcome.select_by_outcome("dropped")[0].why
    made_count = sum(len(e.proposals) for e in ran.of("proposals_made"))
    assert made_count == len(ran.of("proposal_tabled")) + len(dropped)


def test_the_total_of_changed_files_is_checked_again_at_commit():
    """Two proposals that each fit the bound, together do not; the second is rejected by it."""
    table = {"A.propose": proposals(propose(ADD)), "C.propose": proposals(propose(add("C", "use", "n")))}
    ran = negotiate(AGENTS, LINKS, script(table), max_total_file_changes=1)
    assert (ran.fate("A").outcome, ran.fate("C").outcome, ran.fate("C").by) == ("committed", "rejected", "limit")
    assert ran.outcome.reason == "file_changes"


def test_a_proposal_falls_with_one_that_it_depends_on():
    """Seed 002 §2.7, `dependencies`."""
    seen = {}

    def second(ask):
        seen["first"] = ask.about["history"]
        return proposals(propose(add("C", "use", "n"), dependencies=[first]))

    first = negotiate(AGENTS, LINKS, script({"A.propose": proposals(propose(ADD))})).fate("A").proposal_id
    table = {"A.propose": proposals(propose(ADD)), "B.evaluate.1": REJECT, "C.propose.2": second}
    ran = negotiate(AGENTS, LINKS, script(table))
    assert (ran.fate("C").outcome, ran.fate("C").by) == ("rejected", "dependency")


def test_a_proposal_cannot_depend_on_one_that_is_not_there():
    """It is rejected for that, and its proposer sees why."""
    table = {"A.propose.1": proposals(propose(ADD, dependencies=["p-none"]))}
    ran = negotiate(AGENTS, LINKS, script(table))
    assert (ran.fate("A").outcome, ran.fate("A").by) == ("rejected", "dependency")
    assert "p-none, and there is no such proposal" in ran.fate("A").why


def commits(*made):
    """Who of A, B, C, D is committed in which order; `made` says what each adds to its proposal."""
    names = "ABCD"[: len(made)]
    agents = tuple(agent(name, {"do": ({}, {"x": int})}) for name in names)
    table = {f"{n}.propose": proposals(propose(add(n, "do", "k"), **more)) for n, more in zip(names, made, strict=True)}
    ran = negotiate(agents, (), script(table))
    order = [event.proposal_id for event in ran.events if event.kind == "proposal_committed"]
    return [next(n for n in names if ran.fate(n).proposal_id == pid) for pid in order]


def test_what_is_more_urgent_is_committed_first():
    """Seed 002 §2.7, `priority`; those of one priority as they came."""
    assert commits({}, {"priority": 2}, {}, {"priority": 9}) == ["D", "B", "A", "C"]


def test_what_others_depend_on_is_committed_before_them_whatever_their_priority():
    """A dependency is no reason to fall where it is agreed in the same round."""
    agents = tuple(agent(name, {"do": ({}, {"x": int})}) for name in "AB")
    ids = {
        n: negotiate(agents, (), script({f"{n}.propose": proposals(propose(add(n, "do", "k")))})).fate(n).proposal_id
        for n in "AB"
    }
    assert commits({"dependencies": [ids["B"]], "priority": 5}, {}) == ["B", "A"]
    assert commits({"dependencies": [ids["B"]]}, {"dependencies": [ids["A"]]}) == []


# ------------------------------------------------------------------------------------------------------------ ends


@pytest.mark.parametrize(
    ("bound", "reason", "rounds"),
    [
        ({"max_negotiation_rounds": 9, "convergence_threshold": 2}, "converged", 2),
        ({"max_negotiation_rounds": 1}, "rounds", 1),
        ({"max_proposals_per_agent": 0}, "nothing_left", 0),
        ({"max_proposals_per_round": 0}, "nothing_left", 0),
        ({"max_total_file_changes": 0}, "file_changes", 0),
    ],
)
def test_it_ends_within_its_bounds_and_says_which(bound, reason, rounds):
    """Design §6.9."""
    ran = negotiate(AGENTS, LINKS, script({}), **bound)
    assert (ran.outcome.reason, ran.outcome.rounds) == (reason, rounds)


def test_the_same_start_gives_the_same_ids_and_the_same_log():
    """Design §6: ids come from the start state and the place in the build."""
    table = script({"A.propose": proposals(propose(ADD)), "B.propose": proposals(propose(add("B", "take", "n")))})
    first, second = negotiate(AGENTS, LINKS, table), negotiate(AGENTS, LINKS, table)
    assert first.events == second.events
    assert all(p.proposal_id.startswith("p-") and len(p.proposal_id) == 6 for p in first.outcome.proposals)


def test_the_order_in_which_answers_arrive_does_not_matter():
    """Design §2, order."""
    import asyncio
    import random

    from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
    from graphbus_core.negotiation.core import Driver, Reply, Session
    from graphbus_core.negotiation.proposal import ProposalProtocol
    from tests.negotiation.paper import Paper

    answer = conflict(choose("B"))
    plain = negotiate(JUDGED, LINKS, answer)

    class Slow:
        async def answer(self, ask, view):
            for _ in range(random.randrange(5)):
                await asyncio.sleep(0)
            body = answer(ask)
            return Reply(None, "says nothing") if body is None else Reply(body)

    for _ in range(5):
        log = MemoryLog()
        session = Session(ProposalProtocol(), plain.config, log)
        seats = {a.name: Slow() for a in JUDGED}
        asyncio.run(Driver(seats, MemoryAnswers(), Paper(JUDGED, LINKS).apply).run(session))
        assert log.events == plain.events


def test_what_an_agent_sees_grows_with_its_links_and_not_with_the_project():
    """Design §6.11: its own source, its neighbours' contracts without source, and nothing else."""
    many = tuple(agent(f"N{i}", {"m": ({}, {"a": int})}) for i in range(50))
    ran = negotiate((*AGENTS, *many), LINKS, script({}), max_negotiation_rounds=1)
    about = ran.seats["A"].asked[0].about
    assert [c["name"] for c in about["neighbours"]] == ["B"]
    assert "source" in about["card"]
    assert "source" not in about["neighbours"][0]
    assert ran.seats["N7"].asked[0].about["neighbours"] == []
