"""Why a link is as it is: whether it fits by now, what was proposed and asked, and why nobody proposed more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from graphbus_core.negotiation.proposal.answer_parsing import NONE_OF_THEM
from graphbus_core.negotiation.proposal.negotiation_log import NegotiationLog
from graphbus_core.negotiation.proposal.state import State
from graphbus_core.negotiation.proposal.vocabulary import ProposalOutcome

# How the gates of a commit ended, in words: what was proved, what was only tested, and what was not run and why.


SUBJECTS = {"verify": "behaviour"}  # what a gate is about, where its name does not say it


def render_gate_ends(ends: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """One line for each kind of end that there was. Logs from before ends were kept give none."""
    ends = list(ends)
    for kind in ("proved", "tested", "not run"):
        rendered = [_render_gate_end(end) for end in ends if end["end"] == kind]
        if rendered:
            yield f"{kind}: {', '.join(rendered)}"


def _render_gate_end(end: Mapping[str, Any]) -> str:
    name = SUBJECTS.get(end["gate"], end["gate"]) if end["end"] != "tested" else end["gate"]
    return f"{name} ({end['why']})" if end.get("why") else str(name)


def find_link(log: NegotiationLog, producer: str, consumer: str) -> str | None:
    """The id of the link between two ends (`A.get`, `B.use`; of a topic `A -> /Topic`), as this log knows it."""
    link_id = f"{producer} => {consumer}"
    link_ids = {link.id for link in log.state.ground.links} if log.state is not None else set()
    return link_id if link_id in link_ids else None


def list_links(logs: Iterable[NegotiationLog]) -> list[str]:
    """Every link that the newest log knows, for a message."""
    newest = next(iter(logs), None)
    return [link.id for link in newest.state.ground.links] if newest is not None and newest.state is not None else []


def explain_link(log: NegotiationLog, link: str) -> Iterator[str]:
    """What the newest negotiation says of a link, line by line."""
    state = log.state
    assert state is not None
    mismatch = next((m for m in state.ground.mismatches if m.link.id == link), None)
    if mismatch is None:
        yield "it fits: whatever is sent is taken"
    else:
        yield from (f"it does not fit: {reason}" for reason in mismatch.reasons)
    nodes = {part.split(".")[0].split(" -> ")[0] for part in link.split(" => ")}
    yield from _render_proposed(log, link, nodes, fits=mismatch is None)
    yield from _render_questions(state, link)
    if mismatch is not None:
        yield from _explain_nothing_proposed(log, state, link, nodes)


def _render_proposed(log: NegotiationLog, link: str, nodes: set[str], fits: bool) -> Iterator[str]:
    """What was proposed for the link; for one that fits by now, only what made it fit."""
    for fate in log.fates:
        failed = fate.proposer in nodes and fate.outcome != ProposalOutcome.COMMITTED and not fits
        if link in fate.computed.get("fixes", ()) or failed:
            why = f" ({fate.failed_gate}: {fate.why})" if fate.failed_gate else f" ({fate.why})" if fate.why else ""
            yield f"{fate.proposal_id} {fate.proposer}: {fate.proposal.get('summary', '')}: {fate.outcome}{why}"


def _render_questions(state: State, link: str) -> Iterator[str]:
    for question in state.questions.values():
        if question["link"] == link:
            answer = f"{question['by']} said {_render_choice(question['choice'])}" if question["choice"] else "open"
            why = f" ({question['why']})" if question["why"] else ""
            yield f"asked: {question['text']} {answer}{why}"


def _render_choice(choice: str) -> str:
    return "none of them" if choice == NONE_OF_THEM else repr(choice)


def _explain_nothing_proposed(log: NegotiationLog, state: State, link: str, nodes: set[str]) -> Iterator[str]:
    """Why nobody proposed more. Silence is told only where no other reason is known: it may have had one."""
    reasons = [gap for gap in state.left.values() if gap["link"] == link]
    for gap in reasons:
        yield f"{gap['agent']} proposed nothing for '{gap['field']}': {gap['why']}"
    if reasons or any(gap["link"] == link for gap in state.questions.values()):
        return
    silent = sorted(nodes & set(state.silent))
    if silent:
        yield f"{', '.join(silent)} gave no usable answer when asked to propose"
    elif state.ended is not None and not any(f.proposer in nodes for f in log.fates):
        yield f"{' and '.join(sorted(nodes))} were asked and proposed nothing"
