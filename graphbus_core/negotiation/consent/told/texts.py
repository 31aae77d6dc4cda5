"""The seed's blocks, written (seed 003): `[ADVOCATE - CC]`, `[PROPOSAL - CC]`, … and the status.

A block starts with its header at the beginning of a line. Text that somebody said never does: its further lines are
indented, so nobody can speak in another's name. `transcript` reads what stands here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from graphbus_core.negotiation.consent.vocabulary import (
    SEALED,
    CheckCalled,
    Consented,
    DeadlockFound,
    Discussed,
    Ended,
    Objected,
    Passed,
    PositionMissed,
    PositionStated,
    ProposalTabled,
    Status,
    StoodAside,
)
from graphbus_core.negotiation.core import Event

VOTE = (Consented, Objected, StoodAside)
ENGINE = "engine"  # who calls a check that no advocate called


def block(event: Event) -> str | None:
    """The block that says this fact, without a newline at its end; None where the seed has no words for it."""
    match event:
        case Consented() | Objected() | StoodAside():
            return _vote(event)
        case PositionStated() | PositionMissed():
            return _position(event)
        case ProposalTabled():
            return _proposal(event)
        case Discussed():
            return f"[DISCUSSION - {event.by}]\n{_inside(_unsealed(event.text), first=True)}"
        case Passed():
            return f"[PASS - {event.by}]" + (f"\n{_inside(event.why, first=True)}" if event.why else "")
        case CheckCalled():
            head = f"[CONSENT CHECK - {event.by or ENGINE}]"
            why = f" ({event.why})" if event.why else ""
            return "\n".join([head, f"Current proposal{why}:", *(f"- {_inside(t)}" for t in lines_of(event.terms))])
        case DeadlockFound():
            return "\n".join(["[DEADLOCK]", *(f"- {_inside(c)}" for c in event.conflict)])
        case Ended():
            return f"[{event.status}] - {_inside(event.reason)}"
        case _:
            # Everything else (opening, closing of checks) has no block in the seed, and its readers would not know it.
            return None


def _vote(event: Consented | Objected | StoodAside) -> str:
    if isinstance(event, Consented):
        return f"[CONSENT - {event.advocate}]"
    head = "OBJECT" if isinstance(event, Objected) else "STAND ASIDE"
    # On one line: a vote is one line in the seed, and its readers take the next one for text.
    reason = " ".join(event.reason.split())
    return f"[{head} - {event.advocate}: {reason}]" if reason or head == "OBJECT" else f"[{head} - {event.advocate}]"


def _position(event: PositionStated | PositionMissed) -> str:
    if isinstance(event, PositionMissed):
        return f"[PASS - {event.advocate}]\n{_inside(f'no position: {event.why}', first=True)}"
    return _fields(
        f"[ADVOCATE - {event.advocate}]",
        ("PRIORITY", event.priority),
        ("RATIONALE", event.rationale),
        ("RED LINE", event.red_line),
        ("WILLING TO TRADE", event.willing_to_trade),
    )


def _proposal(event: ProposalTabled) -> str:
    fields = [("I OFFER", event.offer), ("I WANT", event.want), ("RATIONALE", event.rationale)]
    said = tuple(t for t in (event.offer, event.want) if t)
    # The seed's own form has no TERMS. It is written only where offer and want do not say all of them.
    if isinstance(event.terms, Mapping) or tuple(event.terms) != said:  # else offer and want are all of it
        fields.append(("TERMS", "; ".join(lines_of(event.terms))))
    return _fields(f"[PROPOSAL - {event.by}]", *fields)


def lines_of(terms: Any) -> list[str]:
    """The terms as lines: `issue: option`, or as they were said."""
    if isinstance(terms, Mapping):
        return [f"{k}: {v}" for k, v in terms.items()]
    return [str(t) for t in terms or ()]


def status_block(
    status: Status,
    turns: int,
    output: str | None,
    participants: Mapping[str, str],
    aside: Mapping[str, str] | None = None,
) -> str:
    """The seed's final status. `aside`: who stood aside, and why; a line of its own names them."""
    seats = ", ".join(f"{name} ({priority})" if priority else name for name, priority in participants.items())
    consensus = "Achieved" if status is Status.DONE else "Not achieved"
    return "\n".join(
        [
            "SKILL: negotiation",
            f"STATUS: {status}",
            f"TURNS: {turns}",
            f"OUTPUT: {output or 'none'}",
            # A priority with a line break would begin a new field.
            f"PARTICIPANTS: {' '.join(seats.split())}",
            *([f"STOOD ASIDE: {named_aside(aside)}"] if aside else []),
            f"CONSENSUS: {consensus}",
        ]
    )


def named_aside(aside: Mapping[str, str]) -> str:
    """Who stood aside, with the reason where one was given, on one line."""
    told = [f"{name} ({' '.join(why.split())})" if why.strip() else name for name, why in aside.items()]
    return ", ".join(told)


def transcript_text(events: Iterable[Event]) -> str:
    """All blocks, in order: a blank line before each, but none between answers to the same check."""
    out = ""
    answered = False
    for event in events:
        said = block(event)
        if said is None:
            continue
        answer = isinstance(event, VOTE)
        # No empty line between answers: in the seed they stand as a list below their check.
        out += ("\n" if out and not (answer and answered) else "") + said + "\n"
        answered = answer
    return out


class HeldBackVotes:
    """Facts in the order in which they may be told: votes are held back until their check is closed (design §8)."""

    def __init__(self) -> None:
        self._held: list[Event] = []

    def take(self, event: Event) -> list[Event]:
        # Told only when the check has closed, which the next fact of another kind shows.
        """What may be told now that this has happened."""
        if isinstance(event, VOTE):
            self._held.append(event)
            return []
        told, self._held = [*self._held, event], []
        return told


def tellable(events: Iterable[Event]) -> list[Event]:
    """The facts without the votes of a check that is still open."""
    ballots = HeldBackVotes()
    return [told for event in events for told in ballots.take(event)]


def _fields(head: str, *fields: tuple[str, str]) -> str:
    return "\n".join([head, *(f"{name}: {_inside(text)}" for name, text in fields)])


def _inside(text: str, first: bool = False) -> str:
    """Text inside a block: its lines cannot be taken for a header or a field."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    if not lines:
        return ""
    # The first line too may begin like a header. Two blanks are enough that no reader takes it for one.
    if first and (lines[0].startswith("[") or _is_field(lines[0])):
        lines[0] = "  " + lines[0]
    return "\n".join([lines[0], *(f"  {line}".rstrip() for line in lines[1:])])


def _unsealed(text: str) -> str:
    """A sealed text is for its readers in the log: people are told that there is one, and which."""
    if not text.startswith(SEALED):
        return text
    # Long enough to find it in the log, and short enough to be read.
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return f"{SEALED}a ballot of {len(text) - len(SEALED)} characters, {digest}. It stands in the log."


def _is_field(line: str) -> bool:
    # By its capitals: a field is one in any spelling, so nobody can invent a new one inside a text.
    return line.partition(":")[0].strip().isupper()
