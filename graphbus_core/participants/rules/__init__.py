"""The rule negotiators: offline they mend what evidence says how to mend, and ask where there is none.

What they do, and no more (design §10): with evidence rename the consumer's field; make a field optional, or widen its
type, where a passing test does so; align a contract with what its method really returns; evaluate by the contracts;
arbitrate by seed 000's order. Without evidence they ask, with the candidates.

evidence           what a repair may rest on, and the one table of confidence
repairs            from evidence to a diff
repair_proposals   what is proposed, and what is asked where there is no evidence
mismatch_case      one mismatch, as both ends see it
method_source      what a method's own text says for certain
name_matching      how alike two names are: an order of choices
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.rules.repair_proposals import propose
from graphbus_core.text import describe_new

# How a rule arbiter rules: correctness, then compatibility, then simplicity, then the proposer's intent (seed 000).


def arbitrate(about: Mapping[str, Any]) -> dict[str, Any]:
    """Accept the best of what lies on the table if it breaks nobody; reject otherwise."""
    computed: Mapping[str, Any] = about.get("computed", {})
    ranked = sorted(about["proposals"], key=lambda p: _rank_proposal(p, computed.get(p["proposal_id"], {})))
    best = ranked[0]
    effects = computed.get(best["proposal_id"], {})
    breaks = len(effects.get("breaks", ()))
    closes = len(effects.get("fixes", ()))
    if breaks:
        ruling = f"It would leave {breaks} link{'s' * (breaks != 1)} that do not fit: correctness comes first."
        return {"decision": "reject", "ruling": ruling, "proposal_id": best["proposal_id"]}
    others = f" over {len(ranked) - 1} that touch the same field" if len(ranked) > 1 else ""
    mends = f" and closes {closes} mismatch{'es' * (closes != 1)}" if closes else ""
    ruling = f"It breaks no link{mends}; of what would do, it changes least. I take it{others}."
    return {"decision": "accept", "ruling": ruling, "proposal_id": best["proposal_id"]}


def _rank_proposal(proposal: Mapping[str, Any], effects: Mapping[str, Any]) -> tuple[Any, ...]:
    return (
        len(effects.get("breaks", ())),  # correctness
        -len(effects.get("fixes", ())),
        effects.get("type") == "breaking_change",  # compatibility
        len(proposal["diff"]),  # simplicity
        -float(proposal.get("confidence", 0)),  # the proposer's intent
        proposal["proposal_id"],
    )


# How a rule negotiator judges a peer's proposal: by the contracts, and a counterexample is the reason for a no.


def evaluate(about: Mapping[str, Any]) -> dict[str, Any]:
    """Accept what keeps every link of this agent; reject, with the payload that proves it, what breaks one."""
    name = about["card"]["name"]
    proposal, computed = about["proposal"], about["computed"]
    mine = [b for b in computed.get("breaks", ()) if _is_concerned(b["link"], name)]
    if mine:
        broken = mine[0]
        reasons = describe_new(broken.get("reasons", ()), broken.get("stood", ())) or "the contracts would not fit"
        example = broken.get("counterexample")
        proof = f" A payload that proves it: {json.dumps(example, sort_keys=True)}." if example is not None else ""
        return _build_evaluation(
            "reject", f"It would break {_render_link(broken['link'])}: {reasons}.{proof}", 1.0, [reasons]
        )
    touches_me = any(op["node"] == name for op in proposal["diff"]) and proposal["proposer"] != name
    left = [entry for entry in computed.get("left", ()) if name in entry["agents"]]
    if left:
        why = f"It breaks no link of mine.{_describe_left(left)}{_describe_fix(about, name)}"
    else:
        why = (
            "Every link of mine that it changes fits after it"
            + (", my own contract included." if touches_me else ".")
            + _describe_fix(about, name)
        )
    why = " ".join([why, *computed.get("unsent", ()), *computed.get("never_sent", ())])
    return _build_evaluation("accept", why, 0.9, [])


def _describe_left(left: Sequence[Mapping[str, Any]]) -> str:
    """What did not fit before and does not fit after: a yes to a change does not say that it is mended."""
    first = left[0]
    more = f", and {len(left) - 1} more" if len(left) > 1 else ""
    mended = f" It mends {', '.join(first['mended'])} of it." if first["mended"] else ""
    return (
        f" {first['link']} did not fit before, and does not fit after it{more}: {'; '.join(first['reasons'])}.{mended}"
    )


def _describe_fix(about: Mapping[str, Any], name: str) -> str:
    fixed = [m for m in about["computed"].get("fixes", ()) if _is_concerned(m, name)]
    return f" It closes the mismatch on {_render_link(fixed[0])}." if fixed else ""


def _is_concerned(link: Any, name: str) -> bool:
    if isinstance(link, str):
        return any(end.split(".")[0].split(" -> ")[0] == name for end in link.split(" => "))
    ends = (link["producer"], link["consumer"])
    return any((end["node"] if isinstance(end, Mapping) else str(end).split(".")[0]) == name for end in ends)


def _render_link(link: Any) -> str:
    if isinstance(link, str):
        return link

    def render_end(e: Any) -> str:
        if not isinstance(e, Mapping):
            return str(e)
        return f"{e['node']}.{e['method']}" if e.get("method") else f"{e['node']} -> {e.get('topic')}"

    return f"{render_end(link['producer'])} => {render_end(link['consumer'])}"


def _build_evaluation(decision: str, reasoning: str, confidence: float, concerns: list[str]) -> dict[str, Any]:
    return {
        "decision": decision,
        "reasoning": reasoning,
        "confidence": confidence,
        "counter_proposal": None,
        "concerns": concerns,
        "suggestions": [],
    }


ANSWERS = {"propose": propose, "evaluate": evaluate, "arbitrate": arbitrate}


class RulesParticipant:
    """Answers every question of a proposal negotiation from the question alone: the same ask, the same answer."""

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The rules' answer, or silence for a kind of question that they do not know."""
        rule = ANSWERS.get(ask.kind)
        if rule is None:
            return Reply(None, f"the rule negotiators do not answer {ask.kind!r} questions")
        return Reply(rule(ask.about))


class OutsideParticipant(RulesParticipant):
    """Speaks for a component that is written elsewhere: it judges by its contract, and proposes no change of it."""

    async def answer(self, ask: Ask, view: View) -> Reply:
        """As the rules; no proposal, since nobody here could carry one out."""
        return Reply({"proposals": []}) if ask.kind == "propose" else await super().answer(ask, view)
