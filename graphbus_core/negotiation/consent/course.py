"""How a decision came, in a sentence or two, for whoever was not there: at which vote, who blocked what, who moved.

Told from the log alone, so that it holds for every table: it names what was put to all and how they voted, and nobody's
preferences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.negotiation.consent.events import (
    MEDIATOR,
    CheckCalled,
    Ended,
    Objected,
    ProposalTabled,
    Status,
    StoodAside,
)
from graphbus_core.negotiation.core import Event

MOST_TOLD = 2  # votes that failed; of more the last ones
LONGEST = 90  # characters of a proposal or a reason
NUMBERS = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass
class _Vote:
    by: str
    terms: Any
    objections: list[Objected] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)


def tell_course(events: Sequence[Event]) -> str:
    """How the negotiation of these facts came to its end; empty where it has not ended."""
    votes: list[_Vote] = []
    proposers: dict[int, str] = {}
    end: Ended | None = None
    for event in events:
        match event:
            case ProposalTabled():
                proposers[event.number] = event.by
            case CheckCalled():
                by = event.by if event.own_words else proposers.get(event.number, event.by)
                votes.append(_Vote("GraphBus" if by == MEDIATOR else by, event.terms))
            case Objected() if votes:
                votes[-1].objections.append(event)
            case StoodAside() if votes:
                votes[-1].aside.append(event.advocate)
            case Ended():
                end = event
    if end is None:
        return ""
    if end.status != Status.DONE:
        return _join(f"No agreement after {_count(len(votes))}: {end.reason}.", _tell_failed(votes, None))
    last = votes[-1]
    place = f"the {NUMBERS[len(votes) - 1]} vote" if len(votes) <= len(NUMBERS) else f"vote {len(votes)}"
    aside = f"; {_list(last.aside)} stood aside" if last.aside else ""
    return _join(f"Agreed at {place}, on what {last.by} proposed{aside}.", _tell_failed(votes[:-1], last))


def _tell_failed(failed: Sequence[_Vote], agreed: _Vote | None) -> str:
    """Who blocked each of them, and what was put to all instead."""
    last_votes = failed[-MOST_TOLD:]
    following = [*last_votes[1:], agreed]
    parts = [
        _tell_block(vote) + (_tell_move(vote, after) if after else "")
        for vote, after in zip(last_votes, following, strict=False)
    ]
    if not parts:
        return ""
    earlier = len(failed) - len(last_votes)
    return (f"{_count(earlier)} failed earlier. " if earlier else "") + "; ".join(parts) + "."


def _tell_block(vote: _Vote) -> str:
    silent = [objection.advocate for objection in vote.objections if objection.silent]
    spoken = [
        f"{objection.advocate} (“{_cut(objection.reason)}”)" for objection in vote.objections if not objection.silent
    ]
    what = _name_terms(vote)
    parts = [f"{_list(spoken)} blocked {what}"] if spoken else []
    return "; ".join([*parts, *([f"{_list(silent)} did not answer on {what}"] if silent else [])]) or f"{what} failed"


def _tell_move(vote: _Vote, after: _Vote) -> str:
    if isinstance(vote.terms, Mapping) and isinstance(after.terms, Mapping):
        changes = [
            f"{option} in place of {vote.terms[issue]}"
            for issue, option in after.terms.items()
            if issue in vote.terms and vote.terms[issue] != option
        ]
        return f", then {after.by} put {_list(changes)}" if changes else f", then {after.by} put the same again"
    return f", then {after.by} proposed {_name_terms(after)}"


def _name_terms(vote: _Vote) -> str:
    lines = vote.terms.values() if isinstance(vote.terms, Mapping) else vote.terms
    return _cut(", ".join(map(str, lines)))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"


def _list(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _count(votes: int) -> str:
    return f"{votes} vote{'' if votes == 1 else 's'}"


def _join(*sentences: str) -> str:
    return " ".join(filter(None, sentences))
