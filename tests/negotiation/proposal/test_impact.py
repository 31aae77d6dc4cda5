"""The one account of an impact: what a change breaks and mends, who must agree, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from graphbus_core.config import SafetyConfig
from graphbus_core.model.graph import LinkOrigin
from graphbus_core.model.operation import parse_operations
from graphbus_core.negotiation.proposal import ProposalConfig, compute_effects
from graphbus_core.negotiation.proposal.impact import assess_impact
from graphbus_core.negotiation.proposal.project_view import ProjectView
from graphbus_core.participants.rules import evaluate
from tests.negotiation.paper import add, agent, link, pipeline

AGENTS, LINKS = pipeline()
MAKE = {"node": "A", "method": "make"}
WORSE = {"op": "rename_field", **MAKE, "side": "output", "field": "x", "to": "w"}


def test_who_must_agree_is_said_with_the_reason() -> None:
    """Of the class that is touched, of the link that rests on it; and where nobody is affected, the neighbours."""
    start = ProposalConfig(AGENTS, LINKS)
    assert assess_impact(start, "A", [WORSE]).asks == {"B": "what it is linked by is changed: A.make => B.take"}
    both = assess_impact(start, "B", [WORSE])
    assert both.asks["A"] == "its class is changed"
    idle = assess_impact(start, "A", [{"op": "set_docstring", "node": "A", "text": "Makes."}])
    assert idle.asks == {"B": "nobody is affected, so the neighbours of A are asked"}
    assert assess_impact(start, "A", [WORSE]).breaks == ("A.make => B.take",)


def test_what_the_negotiation_refuses_is_put_to_nobody() -> None:
    """An agent that is not shown, a protected file, a field that is not there: the same words as in the build."""
    start = ProposalConfig(AGENTS, LINKS, safety=SafetyConfig(protected_files=["agents/a.py"]))
    assert "must not be changed" in assess_impact(start, "A", [WORSE]).refusal
    far = assess_impact(start, "A", [add("C", "use", "more")])
    assert "the agents that you are shown are A, B" in far.refusal
    assert far.asks == {}
    assert "no agent Nobody" in assess_impact(start, "Nobody", [WORSE]).refusal


def compute(diff: list[dict[str, Any]], agents: Any = AGENTS, links: Any = LINKS) -> tuple[list[str], list[str]]:
    """What the votes are told that a diff breaks, and fixes."""
    computed = compute_effects(ProjectView(agents, links), parse_operations(diff))
    return [broken["link"] for broken in computed["breaks"]], computed["fixes"]


def test_a_method_that_is_renamed_breaks_no_link_and_one_that_is_gone_breaks_those_it_feeds() -> None:
    """Callers are followed, so the link stands under the new name; without its consumer there is no link."""
    rename = {"op": "rename_method", **MAKE, "to": "produce"}
    assert compute([rename]) == ([], [])
    assert compute([rename, {**WORSE, "method": "produce"}]) == (["A.produce => B.take"], [])
    assert compute([{"op": "delete_method", **MAKE}]) == (["A.make => B.take"], [])
    assert compute([{"op": "delete_method", "node": "B", "method": "take"}]) == (["B.take => C.use"], [])
    taken_off = {"op": "undecorate", "node": "B", "method": "take", "decorator": '@depends_on("A.make")'}
    assert compute([{"op": "delete_method", **MAKE}, taken_off]) == ([], [])


def test_a_link_that_did_not_fit_may_break_further() -> None:
    """The gate refuses it then, so the votes are told; where it stays as it was, nobody is to blame."""
    agents = (agent("A", {"make": ({}, {"x": str, "z": str})}), agent("B", {"take": ({"x": int, "z": str}, {})}))
    assert compute([{**WORSE, "field": "z"}], agents, LINKS[:1]) == (["A.make => B.take"], [])
    assert compute([add("A", "make", "more")], agents, LINKS[:1]) == ([], [])
    assert compute([{"op": "delete_method", "node": "B", "method": "take"}], agents, LINKS[:1])[1] == [LINKS[0].id]


def test_a_guess_breaks_nothing() -> None:
    """It is shown and is no finding, in the votes as in the gates; yet who depends on it is still asked."""
    guess = replace(LINKS[0], origin=LinkOrigin.CLASS)
    assert compute([WORSE], links=(guess,)) == ([], [])
    assert "B" in assess_impact(ProposalConfig(AGENTS, (guess,)), "A", [WORSE]).asks


@pytest.mark.parametrize(("optional", "broken"), [(True, ["A.make => C.use", "B.take => C.use"]), (False, [])])
def test_what_one_producer_no_longer_brings_the_others_miss_too(optional: bool, broken: list[str]) -> None:
    """Two feed one method together: the account of their links is one."""
    agents = (
        agent("A", {"make": ({}, {"x": str})}),
        agent("B", {"take": ({}, {"y": int})}),
        agent("C", {"use": ({"x": str, "y": int}, {})}),
    )
    links = tuple(replace(link(giver, "C.use"), beside=(other,)) for giver, other in (("A.make", "y"), ("B.take", "x")))
    diff = {"op": "set_optional", "node": "B", "method": "take", "side": "output", "field": "y", "optional": optional}
    assert sorted(compute([diff], agents, links)[0]) == broken


def leave(diff: list[dict[str, Any]], sent: dict[str, Any], taken: dict[str, Any]) -> Sequence[Mapping[str, Any]]:
    """What a diff leaves of a link whose ends have these contracts."""
    start = ProposalConfig((agent("A", {"make": ({}, sent)}), agent("B", {"take": (taken, {})})), LINKS[:1])
    impact = assess_impact(start, "B", diff)
    assert (impact.refusal, impact.breaks, impact.mends) == ("", (), ())
    return impact.left


def test_a_change_mends_a_field_only_where_the_field_fits_afterwards() -> None:
    """What may be of another type is not mended where it may be left out; what is left is named with its reasons."""
    take = {"node": "B", "method": "take", "side": "input"}
    optional = {"op": "set_optional", **take, "field": "minutes", "optional": True}
    sent, taken = {"minutes": float, "title": str}, {"minutes": int, "title": str}
    (alone,) = leave([optional], sent, taken)
    assert (alone["link"], alone["mended"], alone["fields"]) == ("A.make => B.take", [], ["minutes"])
    assert "minutes" in alone["reasons"][0]
    (two,) = leave([{"op": "retype_field", **take, "field": "minutes", "type": "float"}], sent, {**taken, "title": int})
    assert (two["mended"], two["fields"]) == (["minutes"], ["title"])
    assert not leave([{**optional, "field": "title"}], sent, {"title": str})  # it fits before and after


def test_a_vote_says_of_a_link_that_did_not_fit_that_it_does_not_fit_afterwards() -> None:
    """The rules accept a change that breaks nothing, and call no link fitting that does not."""
    diff = [{"op": "set_optional", "node": "B", "method": "take", "side": "input", "field": "x", "optional": True}]
    agents = (agent("A", {"make": ({}, {"x": float})}), agent("B", {"take": ({"x": int}, {})}))
    computed = compute_effects(ProjectView(agents, LINKS[:1]), parse_operations(diff))
    about = {"card": {"name": "A"}, "proposal": {"proposer": "B", "diff": diff}, "computed": computed}
    said = evaluate(about)
    assert said["decision"] == "accept"
    assert "A.make => B.take did not fit before, and does not fit after it: x may be" in said["reasoning"]
    fitting = {"card": {"name": "A"}, "proposal": {"proposer": "B", "diff": diff}, "computed": {"breaks": []}}
    assert evaluate(fitting)["reasoning"] == "Every link of mine that it changes fits after it."
