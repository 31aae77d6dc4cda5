"""One account of an impact: which links a change mends and breaks, who must agree, and why.

`assess_impact` takes a change down the very road of a negotiation (the check of the answer, the bounds, the votes'
`computed`), as far as nobody has to be asked. So a trial cannot say anything else than the build that follows. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.model.graph import Link
from graphbus_core.model.operation import Operation, parse_operations
from graphbus_core.negotiation.proposal import answer_parsing, events as e
from graphbus_core.negotiation.proposal.answer_validation import check_answer
from graphbus_core.negotiation.proposal.config import ProposalConfig
from graphbus_core.negotiation.proposal.effects import find_touched_links
from graphbus_core.negotiation.proposal.project_view import ProjectView
from graphbus_core.negotiation.proposal.protocol import ProposalProtocol, build_proposal_ask
from graphbus_core.negotiation.proposal.reactions import table_proposal
from graphbus_core.negotiation.proposal.state import State
from graphbus_core.negotiation.proposal.transitions import Phase

LINKS_MAX = 3  # links named in one reason


@dataclass(frozen=True)
class Impact:
    """What a change would do. `asks`: who must agree, and why each; `breaks` and `mends`: ids of links.

    `left`: the links that do not fit before and after it, each with the fields of it that are mended.
    `unsent`: what a consumer gets no more though no link breaks, a sentence each; `never_sent`: what nobody has to send
    from now on, and nobody sent before.
    `refusal`: why the negotiation would put it to nobody; empty where it would.
    """

    breaks: tuple[str, ...] = ()
    mends: tuple[str, ...] = ()
    left: tuple[Mapping[str, Any], ...] = ()
    unsent: tuple[str, ...] = ()
    never_sent: tuple[str, ...] = ()
    asks: Mapping[str, str] = field(default_factory=dict)
    refusal: str = ""


def assess_impact(config: ProposalConfig, author: str, diff: Sequence[Mapping[str, Any]]) -> Impact:
    """What becomes of `diff` where `author` proposes it in a negotiation that starts from `config`."""
    state = _open_first_round(config)
    if author not in state.ground.agents:
        return Impact(refusal=f"there is no agent {author} that could propose it")
    body = {"proposals": [{"diff": list(diff), "summary": "a trial"}]}
    if (why := check_answer(build_proposal_ask(state, author), body)) is not None:
        return Impact(refusal=why)
    event = table_proposal(state, author, answer_parsing.read_proposals(body, author)[0])
    if isinstance(event, e.ProposalDropped):
        return Impact(refusal=event.why)
    assert isinstance(event, e.ProposalTabled)
    return Impact(
        breaks=tuple(broken["link"] for broken in event.computed["breaks"]),
        mends=tuple(event.computed["fixes"]),
        left=tuple(event.computed.get("left", ())),
        unsent=tuple(event.computed.get("unsent", ())),
        never_sent=tuple(event.computed.get("never_sent", ())),
        asks=explain_evaluators(state.ground, parse_operations(diff), event),
    )


def _open_first_round(config: ProposalConfig) -> State:
    """The state in which agents are asked for proposals."""
    protocol = ProposalProtocol()
    state = protocol.open(config)
    while state.phase is not Phase.PROPOSING and (event := protocol.advance(state)) is not None:
        state = protocol.evolve(state, event)
    return state


def explain_evaluators(ground: ProjectView, ops: Sequence[Operation], tabled: e.ProposalTabled) -> dict[str, str]:
    """Why each evaluator is asked, in a sentence."""
    links = find_touched_links(ground, ops)
    return {name: _explain_evaluator(name, links, tabled) for name in tabled.evaluators}


def _explain_evaluator(name: str, links: Mapping[Link, tuple[str, ...]], tabled: e.ProposalTabled) -> str:
    computed = tabled.computed
    touched = [link.id for link, ends in links.items() if name in ends]
    reasons = ["its class is changed"] if name in computed["owners"] else []
    if touched:
        more = f" and {len(touched) - LINKS_MAX} more" if len(touched) > LINKS_MAX else ""
        reasons.append(f"what it is linked by is changed: {', '.join(touched[:LINKS_MAX])}{more}")
    elif name in computed["affected"]:
        reasons.append("a decorator that is changed names it, or a topic of its own")
    if not reasons and name in tabled.proposal["affected_agents"]:
        reasons.append(f"{tabled.proposal['proposer']} names it")
    return "; ".join(reasons) or f"nobody is affected, so the neighbours of {tabled.proposal['proposer']} are asked"
