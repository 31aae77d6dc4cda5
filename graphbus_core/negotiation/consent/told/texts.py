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
    CheckFailed,
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
)
from graphbus_core.negotiation.core import Event

ENGINE = "engine"  # who calls a check that no advocate called


def block(event: Event) -> str | None:
    """The block that says this fact, without a newline at its end; None where the seed has no words for it."""
    match event:
        case PositionStated():
            return _fields(
                f"[ADVOCATE - {event.advocate}]",
                ("PRIORITY", event.priority),
                ("RATIONALE", event.rationale),
                ("RED LINE", event.red_line),
                ("WILLING TO TRADE", event.willing_to_trade),
            )
        case ProposalTabled():
            fields = [("I OFFER", event.offer), ("I WANT", event.want), ("RATIONALE", event.rationale)]
            own = isinstance(event.terms, Mapping) or tuple(event.terms) != tuple(
                t for t in (event.offer, event.want) if t
            )
            if own:
                fields.append(("TERMS", "; ".join(lines_of(event.terms))))
            return _fields(f"[PROPOSAL - {event.by}]", *fields)
        case Discussed():
            return f"[DISCUSSION - {event.by}]\n{_inside(_unsealed(event.text), first=True)}"
        case Passed():
            return f"[PASS - {event.by}]" + (f"\n{_inside(event.why, first=True)}" if event.why else "")
        case CheckCalled():
            head = f"[CONSENT CHECK - {event.by or ENGINE}]"
            why = f" ({event.why})" if event.why else ""
            return "\n".join([head, f"Current proposal{why}:", *(f"- {_inside(t)}" for t in lines_of(event.terms))])
        case Consented():
            return f"[CONSENT - {event.advocate}]"
        case Objected():
            return f"[OBJECT - {event.advocate}: {' '.join(event.reason.split())}]"
        case DeadlockFound():
            return "\n".join(["[DEADLOCK]", *(f"- {_inside(c)}" for c in event.conflict)])
        case Ended():
            return f"[{event.status}] - {_inside(event.reason)}"
        case PositionMissed():
            return f"[PASS - {event.advocate}]\n{_inside(f'no position: {event.why}', first=True)}"
        case CheckFailed():
            return None
        case _:
            return None


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
) -> str:
    """The seed's final status."""
    seats = ", ".join(f"{name} ({priority})" if priority else name for name, priority in participants.items())
    consensus = "Achieved" if status is Status.DONE else "Not achieved"
    return "\n".join(
        [
            "SKILL: negotiation",
            f"STATUS: {status}",
            f"TURNS: {turns}",
            f"OUTPUT: {output or 'none'}",
            f"PARTICIPANTS: {' '.join(seats.split())}",
            f"CONSENSUS: {consensus}",
        ]
    )


def transcript_text(events: Iterable[Event]) -> str:
    """All blocks, in order: a blank line before each, but none between answers to the same check."""
    out = ""
    answered = False
    for event in events:
        said = block(event)
        if said is None:
            continue
        answer = isinstance(event, Consented | Objected)
        out += ("\n" if out and not (answer and answered) else "") + said + "\n"
        answered = answer
    return out


class Ballots:
    """Facts in the order in which they may be told: votes are held back until their check is closed (design §8)."""

    def __init__(self) -> None:
        self._held: list[Event] = []

    def take(self, event: Event) -> list[Event]:
        """What may be told now that this has happened."""
        if isinstance(event, Consented | Objected):
            self._held.append(event)
            return []
        told, self._held = [*self._held, event], []
        return told


def tellable(events: Iterable[Event]) -> list[Event]:
    """The facts without the votes of a check that is still open."""
    ballots = Ballots()
    return [told for event in events for told in ballots.take(event)]


def _fields(head: str, *fields: tuple[str, str]) -> str:
    return "\n".join([head, *(f"{name}: {_inside(text)}" for name, text in fields)])


def _inside(text: str, first: bool = False) -> str:
    """Text inside a block: its lines cannot be taken for a header or a field."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    if not lines:
        return ""
    if first and (lines[0].startswith("[") or _is_field(lines[0])):
        lines[0] = "  " + lines[0]
    return "\n".join([lines[0], *(f"  {line}".rstrip() for line in lines[1:])])


def _unsealed(text: str) -> str:
    """A sealed text is for its readers in the log: people are told that there is one, and which."""
    if not text.startswith(SEALED):
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return f"{SEALED}a ballot of {len(text) - len(SEALED)} characters, {digest}. It stands in the log."


def _is_field(line: str) -> bool:
    return line.partition(":")[0].strip().isupper()
