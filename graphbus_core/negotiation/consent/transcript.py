"""A `comms.md` that others wrote, read: its blocks, what they come to under the rules, and where the rules were broken.

Blocks may stand between other text (a shared ledger); what is not a block is passed over. Lenient in form (case of the
fields, blanks, `[CONSENT]` with or without a name), strict in substance: consent counts once, from a known advocate,
to the open check. `scripted` plays the blocks as answers.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.negotiation.consent.events import (
    SEALED,
    BallotCommitted,
    BallotForfeited,
    BallotOpened,
    CheckCalled,
    CheckFailed,
    ConsentConfig,
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
    compute_proposal_hash,
)
from graphbus_core.negotiation.consent.scenario.model import Advocate, Scenario
from graphbus_core.negotiation.consent.state import Phase, State, fold
from graphbus_core.negotiation.core import Event

# The seed's blocks, written (seed 003): `[ADVOCATE - CC]`, `[PROPOSAL - CC]`, … and the status.
#
# A block starts with its header at the beginning of a line. Text that somebody said never does: its further lines are
# indented, so nobody can speak in another's name. `transcript` reads what stands here.


VOTE = (Consented, Objected, StoodAside)
ENGINE = "engine"  # who calls a check that no advocate called


def render_block(event: Event) -> str | None:
    """The block that says this fact, without a newline at its end; None where the seed has no words for it."""
    match event:
        case Consented() | Objected() | StoodAside():
            return _render_vote(event)
        case PositionStated() | PositionMissed():
            return _render_position(event)
        case ProposalTabled():
            return _render_proposal(event)
        case Discussed():
            return f"[DISCUSSION - {event.by}]\n{_indent_text(_summarize_sealed(event.text), first=True)}"
        case BallotCommitted() | BallotOpened() | BallotForfeited():
            return _render_ballot(event)
        case Passed():
            return f"[PASS - {event.by}]" + (f"\n{_indent_text(event.why, first=True)}" if event.why else "")
        case CheckCalled():
            head = f"[CONSENT CHECK - {event.by or ENGINE}]"
            why = f" ({event.why})" if event.why else ""
            return "\n".join(
                [head, f"Current proposal{why}:", *(f"- {_indent_text(t)}" for t in list_term_lines(event.terms))]
            )
        case DeadlockFound():
            return "\n".join(["[DEADLOCK]", *(f"- {_indent_text(c)}" for c in event.conflict)])
        case Ended():
            return f"[{event.status}] - {_indent_text(event.reason)}"
        case _:
            # Everything else (opening, closing of checks) has no block in the seed, and its readers would not know it.
            return None


def _render_vote(event: Consented | Objected | StoodAside) -> str:
    if isinstance(event, Consented):
        return f"[CONSENT - {event.advocate}]"
    head = "OBJECT" if isinstance(event, Objected) else "STAND ASIDE"
    # On one line: a vote is one line in the seed, and its readers take the next one for text.
    reason = " ".join(event.reason.split())
    return f"[{head} - {event.advocate}: {reason}]" if reason or head == "OBJECT" else f"[{head} - {event.advocate}]"


def _render_ballot(event: BallotCommitted | BallotOpened | BallotForfeited) -> str | None:
    """A step of the ballots, in a block that counts as the step does, with what it is found by in the log."""
    if isinstance(event, BallotForfeited):
        return f"[PASS - {event.advocate}]\n{_indent_text(f'It has no say any more: {event.why}.', first=True)}"
    if isinstance(event, BallotCommitted):
        # That no further ballot is needed is no turn.
        told = f"Committed to a shut ballot, {event.commitment[:16]}."
        return f"[DISCUSSION - {event.advocate}]\n{told}" if event.commitment else None
    digest = hashlib.sha256(event.ballot.encode()).hexdigest()[:16]
    told = f"Opened its ballot of {len(event.ballot)} characters, {digest}. It stands in the log."
    return f"[DISCUSSION - {event.advocate}]\n{told}"


def _render_position(event: PositionStated | PositionMissed) -> str:
    if isinstance(event, PositionMissed):
        return f"[PASS - {event.advocate}]\n{_indent_text(f'no position: {event.why}', first=True)}"
    return _render_fields(
        f"[ADVOCATE - {event.advocate}]",
        ("PRIORITY", event.priority),
        ("RATIONALE", event.rationale),
        ("RED LINE", event.red_line),
        ("WILLING TO TRADE", event.willing_to_trade),
    )


def _render_proposal(event: ProposalTabled) -> str:
    fields = [("I OFFER", event.offer), ("I WANT", event.want), ("RATIONALE", event.rationale)]
    default_terms = tuple(t for t in (event.offer, event.want) if t)
    # The seed's own form has no TERMS. It is written only where offer and want do not say all of them.
    if isinstance(event.terms, Mapping) or tuple(event.terms) != default_terms:  # else offer and want are all of it
        fields.append(("TERMS", "; ".join(list_term_lines(event.terms))))
    return _render_fields(f"[PROPOSAL - {event.by}]", *fields)


def list_term_lines(terms: Any) -> list[str]:
    """The terms as lines: `issue: option`, or as they were said."""
    if isinstance(terms, Mapping):
        return [f"{k}: {v}" for k, v in terms.items()]
    return [str(t) for t in terms or ()]


def render_status_block(
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
            *([f"STOOD ASIDE: {render_aside_names(aside)}"] if aside else []),
            f"CONSENSUS: {consensus}",
        ]
    )


def render_aside_names(aside: Mapping[str, str]) -> str:
    """Who stood aside, with the reason where one was given, on one line."""
    entries = [f"{name} ({' '.join(why.split())})" if why.strip() else name for name, why in aside.items()]
    return ", ".join(entries)


def render_transcript(events: Iterable[Event]) -> str:
    """All blocks, in order: a blank line before each, but none between answers to the same check."""
    out = ""
    answered = False
    for event in events:
        block_text = render_block(event)
        if block_text is None:
            continue
        answer = isinstance(event, VOTE)
        # No empty line between answers: in the seed they stand as a list below their check.
        out += ("\n" if out and not (answer and answered) else "") + block_text + "\n"
        answered = answer
    return out


class VoteBuffer:
    """Facts in the order in which they may be told: votes are held back until their check is closed (design §8)."""

    def __init__(self) -> None:
        self._held: list[Event] = []

    def take(self, event: Event) -> list[Event]:
        # Told only when the check has closed, which the next fact of another kind shows.
        """What may be told now that this has happened."""
        if isinstance(event, VOTE):
            self._held.append(event)
            return []
        released, self._held = [*self._held, event], []
        return released


def filter_tellable(events: Iterable[Event]) -> list[Event]:
    """The facts without the votes of a check that is still open."""
    ballots = VoteBuffer()
    return [released for event in events for released in ballots.take(event)]


def _render_fields(head: str, *fields: tuple[str, str]) -> str:
    return "\n".join([head, *(f"{name}: {_indent_text(text)}" for name, text in fields)])


def _indent_text(text: str, first: bool = False) -> str:
    """Text inside a block: its lines cannot be taken for a header or a field."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    if not lines:
        return ""
    # The first line too may begin like a header. Two blanks are enough that no reader takes it for one.
    if first and (lines[0].startswith("[") or _is_field(lines[0])):
        lines[0] = "  " + lines[0]
    return "\n".join([lines[0], *(f"  {line}".rstrip() for line in lines[1:])])


def _summarize_sealed(text: str) -> str:
    """A sealed text is for its readers in the log: people are told that there is one, and which."""
    if not text.startswith(SEALED):
        return text
    # Long enough to find it in the log, and short enough to be read.
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return f"{SEALED}a ballot of {len(text) - len(SEALED)} characters, {digest}. It stands in the log."


def _is_field(line: str) -> bool:
    # By its capitals: a field is one in any spelling, so nobody can invent a new one inside a text.
    return line.partition(":")[0].strip().isupper()


_HEAD = re.compile(
    r"^\[(?P<kind>ADVOCATE|PROPOSAL|DISCUSSION|PASS|CONSENT CHECK|CONSENT|OBJECT|STAND ASIDE|DEADLOCK|DONE|INCOMPLETE)"
    r"(?:\s*[-–—]\s*(?P<name>[^\]:]+?))?\s*(?::\s*(?P<reason>.*))?\](?P<rest>.*)$"
)
_FIELD = re.compile(r"^(?P<name>PRIORITY|RATIONALE|RED LINE|WILLING TO TRADE|I OFFER|I WANT|TERMS)\s*:\s*(?P<text>.*)$")
_STATUS = re.compile(r"^(?P<name>SKILL|STATUS|TURNS|OUTPUT|PARTICIPANTS|STOOD ASIDE|CONSENSUS)\s*:\s*(?P<text>.*)$")
VOTES = ("CONSENT", "OBJECT", "STAND ASIDE")
_PRIORITY = re.compile(r"(?P<name>[^,()]+?)\s*\((?P<priority>[^()]*)\)")


@dataclass(frozen=True)
class TranscriptBlock:
    """One block: its kind, who spoke, its fields or its text, and the line where it starts."""

    kind: str
    name: str
    line: int
    fields: dict[str, str] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True)
class Transcript:
    """What a transcript comes to."""

    said: tuple[TranscriptBlock, ...]
    events: tuple[Event, ...]
    status: Status
    turns: int
    speaking_turns: int
    advocates: dict[str, str]
    agreement: Any
    claimed: dict[str, str]  # the final status block, as it stands there
    faults: tuple[str, ...]
    aside: Mapping[str, str] = field(default_factory=dict)  # who stood aside from what was agreed, and why


def parse_blocks(text: str) -> tuple[list[TranscriptBlock], dict[str, str]]:
    """The blocks of a text in order, and the fields of its last status block."""
    parsed: list[TranscriptBlock] = []
    status: dict[str, str] = {}
    kind, name, start_line, fields, body = "", "", 0, dict[str, str](), list[str]()
    key: str | None = None

    def close() -> None:
        if kind:
            parsed.append(TranscriptBlock(kind, name, start_line, fields, "\n".join(body).strip()))

    for number, line in enumerate(text.splitlines(), 1):
        head = _HEAD.match(line)
        if head:
            close()
            kind, name, start_line = head["kind"], (head["name"] or "").strip(), number
            fields, body, key = {}, [], None
            # `[OBJECT - X] because` and `[OBJECT - X: because]` are both in use.
            tail = head["reason"] if head["reason"] is not None else head["rest"].strip(" -–—")
            if tail:
                body.append(tail.strip())
            continue
        ended = _STATUS.match(line)
        # A status field outside a status block is text; only SKILL begins one.
        if ended and ended["name"] in ("SKILL", *status):
            if ended["name"] == "SKILL":
                status = {}
            close()
            kind = ""
        if ended and (status or ended["name"] == "SKILL"):
            status[ended["name"]] = ended["text"].strip()
            continue
        # What stands before the first block, or behind a status, is another's text in a shared ledger.
        if not kind:
            continue
        entry = _FIELD.match(line)
        if entry and kind in ("ADVOCATE", "PROPOSAL"):
            key = entry["name"]
            fields[key] = entry["text"].strip()
        elif key is not None:
            # A field goes on over lines until the next one.
            fields[key] = f"{fields[key]}\n{line.strip()}".strip()
        else:
            body.append(line.strip())
    close()
    return parsed, status


def extract_last_negotiation(text: str) -> tuple[str, int]:
    """The last negotiation of a ledger, and how many ended before it. Its lines keep their numbers.

    One ends with its whole status block, and the next begins with a position: what follows an end without one is
    still part of what ended, and a fault.
    """
    start, ended, ended_count, status = 0, False, 0, False
    lines = text.splitlines()
    for n, line in enumerate(lines):
        status_match = _STATUS.match(line)
        if status_match:
            status = status or status_match["name"] == "SKILL"
            ended = ended or (status and status_match["name"] == "CONSENSUS")
            continue
        head = _HEAD.match(line)
        status = status and not head
        if ended and head:
            ended = False
            if head["kind"] == "ADVOCATE":
                start, ended_count = n, ended_count + 1
    # Empty lines in front keep the numbers: a fault is told with the line of the file.
    return "\n" * start + "\n".join(lines[start:]), ended_count


def read_transcript(
    text: str, roster: Sequence[str] = (), max_turns: int = 10_000, stand_aside: bool = False
) -> Transcript:
    """What the transcript comes to. `roster`: the registered advocates; without it, those with a position block.

    `stand_aside`: whether the table allows it; a transcript cannot say so for itself.
    """
    parsed_blocks, claimed = parse_blocks(text)
    # Without position blocks the final status names who took part; nothing else does.
    named_advocates = list(dict.fromkeys(s.name for s in parsed_blocks if s.kind == "ADVOCATE" and s.name)) or [
        m["name"].strip() for m in _PRIORITY.finditer(claimed.get("PARTICIPANTS", ""))
    ]
    names = list(roster) or named_advocates
    priorities = {s.name: s.fields.get("PRIORITY", "") for s in parsed_blocks if s.kind == "ADVOCATE"}
    seats = tuple(Advocate(n, priority=priorities.get(n, "")) for n in names)
    if len(seats) < 2:
        return Transcript(
            # A single advocate agrees with itself, which is not a negotiation.
            tuple(parsed_blocks),
            (),
            Status.INCOMPLETE,
            0,
            0,
            priorities,
            None,
            claimed,
            ("fewer than two advocates",),
        )
    fold_up = _TranscriptReplay(State(ConsentConfig(Scenario("", advocates=seats, stand_aside=stand_aside), max_turns)))
    for block in parsed_blocks:
        fold_up.take(block)
    return fold_up.close(tuple(parsed_blocks), claimed, {n: priorities.get(n, "") for n in names})


class _TranscriptReplay:
    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.faults: list[str] = []
        self.stated: set[str] = set()
        self.over = False

    def record(self, event: Event) -> None:
        self.events.append(event)
        self.state = fold(self.state, event)

    def add_fault(self, block: TranscriptBlock, why: str) -> None:
        self.faults.append(f"line {block.line}: {why}")

    def take(self, block: TranscriptBlock) -> None:
        """One block under the rules."""
        if self.over:
            if block.kind in ("DONE", "INCOMPLETE"):
                # Two agents may both write DONE. Saying it again changes nothing.
                return  # others may say so as well
            self.add_fault(block, f"[{block.kind}] after the end")
            return
        if block.kind in VOTES or self._is_done_vote(block):
            self._answer_check(block)
            return
        if block.kind in ("DONE", "INCOMPLETE"):
            # Whoever writes DONE has closed the check; answers that are missing stay missing.
            self._settle_check(final=True)
            self._claim_end(block)
            return
        if block.kind == "DEADLOCK":
            return
        # The mediator speaks without a seat, and a check may be called by the engine.
        if block.name not in self.state.names and not (block.kind == "CONSENT CHECK" or block.name == "mediator"):
            self.add_fault(block, f"{block.name or 'somebody'} is not an advocate at this table")
            return
        self._settle_check()
        self._speak(block)

    def _is_done_vote(self, block: TranscriptBlock) -> bool:
        """Whether it is a `[DONE - NAME]` to an open check: that seat's consent (seed 003, "Protocol")."""
        return block.kind == "DONE" and block.name in self.state.names and self.state.phase is Phase.CHECK

    def _speak(self, block: TranscriptBlock) -> None:
        if block.kind == "ADVOCATE":
            if block.name in self.stated:
                self.add_fault(block, f"{block.name} stated its position twice")
                return
            self.stated.add(block.name)
            texts = (block.fields.get(f, "") for f in ("PRIORITY", "RATIONALE", "RED LINE", "WILLING TO TRADE"))
            self.record(PositionStated(block.name, *texts))
            return
        self.state.phase = Phase.TURNS
        if block.kind == "PROPOSAL":
            offer, want = block.fields.get("I OFFER", ""), block.fields.get("I WANT", "")
            terms: tuple[str, ...] = tuple(t for t in (offer, want) if t)
            if "TERMS" in block.fields:
                terms = tuple(t.strip() for t in block.fields["TERMS"].split(";") if t.strip())
            number = self.state.numbers + 1
            rationale = block.fields.get("RATIONALE", "")
            self.record(
                ProposalTabled(number, block.name, terms, offer, want, rationale, compute_proposal_hash(number, terms))
            )
        elif block.kind == "DISCUSSION":
            self.record(Discussed(block.name, block.text))
        elif block.kind == "PASS":
            # A missing position is written as a pass. It is not a turn that somebody let go by.
            if block.name in self.stated or "no position" not in block.text:
                self.record(Passed(block.name, block.text))
        elif block.kind == "CONSENT CHECK":
            self._call_check(block)

    def _call_check(self, block: TranscriptBlock) -> None:
        listed = tuple(line[1:].strip() for line in block.text.splitlines() if line.startswith(("-", "*", "•")))
        standing = self.state.standing
        same = standing is not None and (not listed or tuple(map(str, standing.terms)) == listed)
        by = block.name if block.name in self.state.names else ""
        if same and standing is not None:
            if standing.failed:
                # The seed forbids to check the same proposal twice: it would wear down who objected.
                self.add_fault(block, "this proposal was objected to and is checked again without a newer one")
            number, terms, hashed = standing.number, standing.terms, standing.hash
        elif listed:
            number, terms = self.state.numbers + 1, listed
            hashed = compute_proposal_hash(number, terms)
        else:
            self.add_fault(block, "a check before any proposal")
            return
        # By nobody: the engine called it, since the name is not a seat's.
        self.record(CheckCalled(by, number, hashed, terms, not same, "" if by else "called by the engine"))

    def _answer_check(self, block: TranscriptBlock) -> None:
        standing = self.state.standing
        if self.state.phase is not Phase.CHECK or standing is None:
            self.add_fault(block, f"[{block.kind}] outside a check does not count")
        elif block.name not in self.state.names:
            self.add_fault(
                block, f"{block.name or 'somebody unnamed'} is not an advocate at this table: it does not count"
            )
        elif block.kind == "DONE" and block.name in self.state.answered_names:
            return  # it said so already
        elif block.name in self.state.answered_names:
            # The first counts: a second answer could be written by anybody who reads the ledger.
            self.add_fault(block, f"{block.name} answers this check twice; the first answer counts")
        elif block.kind in ("CONSENT", "DONE"):
            self.record(Consented(block.name, standing.number, standing.hash))
        elif block.kind == "STAND ASIDE" and self.state.config.scenario.stand_aside:
            self.record(StoodAside(block.name, standing.number, standing.hash, block.text))
        elif block.kind == "STAND ASIDE":
            self.add_fault(block, f"{block.name} stands aside, which this table does not allow: it does not count")
        else:
            self.record(Objected(block.name, standing.number, standing.hash, block.text, False))

    def _settle_check(self, final: bool = False) -> None:
        """An open check is over when the talk goes on: who has not answered objects."""
        standing = self.state.standing
        if self.state.phase is not Phase.CHECK or standing is None:
            return
        for name in self.state.names:
            if name not in self.state.answered_names:
                self.record(Objected(name, standing.number, standing.hash, "no answer", True))
        objectors = tuple(n for n in self.state.names if self.state.answers.get(n) is not None)
        # With nobody against and everybody aside nothing is agreed.
        if objectors or len(self.state.aside) == len(self.state.names):
            self.record(CheckFailed(standing.number, standing.hash, objectors))
        else:
            self.over = True
            s = self.state
            self.record(
                Ended(
                    Status.DONE.value,
                    "Consensus reached.",
                    s.turns,
                    s.speaking_turns,
                    standing.number,
                    standing.hash,
                    standing.terms,
                )
            )

    def _claim_end(self, block: TranscriptBlock) -> None:
        is_done = self.state.outcome is not None and self.state.outcome.status is Status.DONE
        if block.kind == "DONE" and not is_done:
            self.add_fault(block, "[DONE] without everybody's consent to the same proposal")
        if block.kind == "INCOMPLETE" and is_done:
            self.add_fault(block, "[INCOMPLETE], but everybody consented")
        if self.state.outcome is None:
            s = self.state
            self.record(Ended(Status.INCOMPLETE.value, block.text, s.turns, s.speaking_turns, 0, "", None))
        self.over = True

    def close(
        self, parsed_blocks: tuple[TranscriptBlock, ...], claimed: dict[str, str], advocates: dict[str, str]
    ) -> Transcript:
        """The reading."""
        self._settle_check(final=True)
        outcome = self.state.outcome
        status = outcome.status if outcome else Status.INCOMPLETE
        turns = outcome.turns if outcome else self.state.turns
        for name in self.state.names:
            if name not in self.stated:
                self.faults.append(f"{name} has stated no position")
        if claimed.get("STATUS") not in (None, status.value):
            self.faults.append(f"the status block says {claimed['STATUS']}; by the rules it is {status}")
        if claimed.get("TURNS", str(turns)) != str(turns):
            self.faults.append(f"the status block says {claimed['TURNS']} turns; by the rules there were {turns}")
        return Transcript(
            parsed_blocks,
            tuple(self.events),
            status,
            turns,
            self.state.speaking_turns,
            advocates,
            outcome.terms if outcome else None,
            claimed,
            tuple(self.faults),
            outcome.stood_aside if outcome else {},
        )
