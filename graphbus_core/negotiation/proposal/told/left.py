"""Why a link is as it is: whether it fits by now, what was proposed and asked, and why nobody proposed more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphbus_core.negotiation.proposal.machine.state import State
from graphbus_core.negotiation.proposal.said.meaning import NONE
from graphbus_core.negotiation.proposal.told.projection import NegotiationLog
from graphbus_core.negotiation.proposal.vocabulary import ProposalOutcome


def link_of(log: NegotiationLog, producer: str, consumer: str) -> str | None:
    """The id of the link between two ends (`A.get`, `B.use`; of a topic `A -> /Topic`), as this log knows it."""
    wanted = f"{producer} => {consumer}"
    known = {link.id for link in log.state.ground.links} if log.state is not None else set()
    return wanted if wanted in known else None


def ends(logs: Iterable[NegotiationLog]) -> list[str]:
    """Every link that the newest log knows, for a message."""
    newest = next(iter(logs), None)
    return [link.id for link in newest.state.ground.links] if newest is not None and newest.state is not None else []


def why_left(log: NegotiationLog, link: str) -> Iterator[str]:
    """What the newest negotiation says of a link, line by line."""
    state = log.state
    assert state is not None
    mismatch = next((m for m in state.ground.mismatches if m.link.id == link), None)
    if mismatch is None:
        yield "it fits: whatever is sent is taken"
    else:
        yield from (f"it does not fit: {reason}" for reason in mismatch.reasons)
    nodes = {part.split(".")[0].split(" -> ")[0] for part in link.split(" => ")}
    yield from _proposed(log, link, nodes, fits=mismatch is None)
    yield from _asked(state, link)
    if mismatch is not None:
        yield from _nothing_proposed(log, state, link, nodes)


def _proposed(log: NegotiationLog, link: str, nodes: set[str], fits: bool) -> Iterator[str]:
    """What was proposed for the link; for one that fits by now, only what made it fit."""
    for fate in log.fates:
        failed = fate.proposer in nodes and fate.outcome != ProposalOutcome.COMMITTED and not fits
        if link in fate.computed.get("fixes", ()) or failed:
            why = f" ({fate.failed_gate}: {fate.why})" if fate.failed_gate else f" ({fate.why})" if fate.why else ""
            yield f"{fate.proposal_id} {fate.proposer}: {fate.proposal.get('summary', '')}: {fate.outcome}{why}"


def _asked(state: State, link: str) -> Iterator[str]:
    for question in state.questions.values():
        if question["link"] == link:
            said = f"{question['by']} said {_meant(question['choice'])}" if question["choice"] else "open"
            why = f" ({question['why']})" if question["why"] else ""
            yield f"asked: {question['text']} {said}{why}"


def _meant(choice: str) -> str:
    return "none of them" if choice == NONE else repr(choice)


def _nothing_proposed(log: NegotiationLog, state: State, link: str, nodes: set[str]) -> Iterator[str]:
    """Why nobody proposed more. Silence is told only where no other reason is known: it may have had one."""
    reasons = [one for one in state.left.values() if one["link"] == link]
    for one in reasons:
        yield f"{one['agent']} proposed nothing for '{one['field']}': {one['why']}"
    if reasons or any(one["link"] == link for one in state.questions.values()):
        return
    silent = sorted(nodes & set(state.silent))
    if silent:
        yield f"{', '.join(silent)} gave no usable answer when asked to propose"
    elif state.ended is not None and not any(f.proposer in nodes for f in log.fates):
        yield f"{' and '.join(sorted(nodes))} were asked and proposed nothing"
