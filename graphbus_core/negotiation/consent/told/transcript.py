"""A `comms.md` that others wrote, read: its blocks, what they come to under the rules, and where the rules were broken.

Blocks may stand between other text (a shared ledger); what is not a block is passed over. Lenient in form (case of the
fields, blanks, `[CONSENT]` with or without a name), strict in substance: consent counts once, from a known advocate,
to the open check. `scripted` plays the blocks as answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.negotiation.consent.scenario.scenario import Advocate, Scenario
from graphbus_core.negotiation.consent.state import Phase, State, fold
from graphbus_core.negotiation.consent.vocabulary import (
    CheckCalled,
    CheckFailed,
    ConsentConfig,
    Consented,
    Discussed,
    Ended,
    Objected,
    Passed,
    PositionStated,
    ProposalTabled,
    Status,
    StoodAside,
    proposal_hash,
)
from graphbus_core.negotiation.core import Event

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


def blocks(text: str) -> tuple[list[TranscriptBlock], dict[str, str]]:
    """The blocks of a text in order, and the fields of its last status block."""
    found: list[TranscriptBlock] = []
    status: dict[str, str] = {}
    kind, name, at, fields, body = "", "", 0, dict[str, str](), list[str]()
    key: str | None = None

    def close() -> None:
        if kind:
            found.append(TranscriptBlock(kind, name, at, fields, "\n".join(body).strip()))

    for number, line in enumerate(text.splitlines(), 1):
        head = _HEAD.match(line)
        if head:
            close()
            kind, name, at = head["kind"], (head["name"] or "").strip(), number
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
    return found, status


def last_negotiation(text: str) -> tuple[str, int]:
    """The last negotiation of a ledger, and how many ended before it. Its lines keep their numbers.

    One ends with its whole status block, and the next begins with a position: what follows an end without one is
    still part of what ended, and a fault.
    """
    start, ended, found, status = 0, False, 0, False
    lines = text.splitlines()
    for n, line in enumerate(lines):
        said = _STATUS.match(line)
        if said:
            status = status or said["name"] == "SKILL"
            ended = ended or (status and said["name"] == "CONSENSUS")
            continue
        head = _HEAD.match(line)
        status = status and not head
        if ended and head:
            ended = False
            if head["kind"] == "ADVOCATE":
                start, found = n, found + 1
    # Empty lines in front keep the numbers: a fault is told with the line of the file.
    return "\n" * start + "\n".join(lines[start:]), found


def read_transcript(
    text: str, roster: Sequence[str] = (), max_turns: int = 10_000, stand_aside: bool = False
) -> Transcript:
    """What the transcript comes to. `roster`: the registered advocates; without it, those with a position block.

    `stand_aside`: whether the table allows it; a transcript cannot say so for itself.
    """
    said, claimed = blocks(text)
    # Without position blocks the final status names who took part; nothing else does.
    named = list(dict.fromkeys(s.name for s in said if s.kind == "ADVOCATE" and s.name)) or [
        m["name"].strip() for m in _PRIORITY.finditer(claimed.get("PARTICIPANTS", ""))
    ]
    names = list(roster) or named
    priorities = {s.name: s.fields.get("PRIORITY", "") for s in said if s.kind == "ADVOCATE"}
    seats = tuple(Advocate(n, priority=priorities.get(n, "")) for n in names)
    if len(seats) < 2:
        return Transcript(
            # A single advocate agrees with itself, which is not a negotiation.
            tuple(said),
            (),
            Status.INCOMPLETE,
            0,
            0,
            priorities,
            None,
            claimed,
            ("fewer than two advocates",),
        )
    fold_up = _Fold(State(ConsentConfig(Scenario("", advocates=seats, stand_aside=stand_aside), max_turns)))
    for one in said:
        fold_up.take(one)
    return fold_up.close(tuple(said), claimed, {n: priorities.get(n, "") for n in names})


class _Fold:
    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.faults: list[str] = []
        self.stated: set[str] = set()
        self.over = False

    def record(self, event: Event) -> None:
        self.events.append(event)
        self.state = fold(self.state, event)

    def fault(self, one: TranscriptBlock, why: str) -> None:
        self.faults.append(f"line {one.line}: {why}")

    def take(self, one: TranscriptBlock) -> None:
        """One block under the rules."""
        if self.over:
            if one.kind in ("DONE", "INCOMPLETE"):
                # Two agents may both write DONE. Saying it again changes nothing.
                return  # others may say so as well
            self.fault(one, f"[{one.kind}] after the end")
            return
        if one.kind in VOTES:
            self._answer(one)
            return
        if one.kind in ("DONE", "INCOMPLETE"):
            # Whoever writes DONE has closed the check; answers that are missing stay missing.
            self._settle_check(final=True)
            self._claim(one)
            return
        if one.kind == "DEADLOCK":
            return
        # The mediator speaks without a seat, and a check may be called by the engine.
        if one.name not in self.state.names and not (one.kind == "CONSENT CHECK" or one.name == "mediator"):
            self.fault(one, f"{one.name or 'somebody'} is not an advocate at this table")
            return
        self._settle_check()
        self._speak(one)

    def _speak(self, one: TranscriptBlock) -> None:
        if one.kind == "ADVOCATE":
            if one.name in self.stated:
                self.fault(one, f"{one.name} stated its position twice")
                return
            self.stated.add(one.name)
            texts = (one.fields.get(f, "") for f in ("PRIORITY", "RATIONALE", "RED LINE", "WILLING TO TRADE"))
            self.record(PositionStated(one.name, *texts))
            return
        self.state.phase = Phase.TURNS
        if one.kind == "PROPOSAL":
            offer, want = one.fields.get("I OFFER", ""), one.fields.get("I WANT", "")
            terms: tuple[str, ...] = tuple(t for t in (offer, want) if t)
            if "TERMS" in one.fields:
                terms = tuple(t.strip() for t in one.fields["TERMS"].split(";") if t.strip())
            number = self.state.numbers + 1
            rationale = one.fields.get("RATIONALE", "")
            self.record(ProposalTabled(number, one.name, terms, offer, want, rationale, proposal_hash(number, terms)))
        elif one.kind == "DISCUSSION":
            self.record(Discussed(one.name, one.text))
        elif one.kind == "PASS":
            # A missing position is written as a pass. It is not a turn that somebody let go by.
            if one.name in self.stated or "no position" not in one.text:
                self.record(Passed(one.name, one.text))
        elif one.kind == "CONSENT CHECK":
            self._check(one)

    def _check(self, one: TranscriptBlock) -> None:
        listed = tuple(line[1:].strip() for line in one.text.splitlines() if line.startswith(("-", "*", "•")))
        standing = self.state.standing
        same = standing is not None and (not listed or tuple(map(str, standing.terms)) == listed)
        by = one.name if one.name in self.state.names else ""
        if same and standing is not None:
            if standing.failed:
                # The seed forbids to check the same proposal twice: it would wear down who objected.
                self.fault(one, "this proposal was objected to and is checked again without a newer one")
            number, terms, hashed = standing.number, standing.terms, standing.hash
        elif listed:
            number, terms = self.state.numbers + 1, listed
            hashed = proposal_hash(number, terms)
        else:
            self.fault(one, "a check before any proposal")
            return
        # By nobody: the engine called it, since the name is not a seat's.
        self.record(CheckCalled(by, number, hashed, terms, not same, "" if by else "called by the engine"))

    def _answer(self, one: TranscriptBlock) -> None:
        standing = self.state.standing
        if self.state.phase is not Phase.CHECK or standing is None:
            self.fault(one, f"[{one.kind}] outside a check does not count")
        elif one.name not in self.state.names:
            self.fault(one, f"{one.name or 'somebody unnamed'} is not an advocate at this table: it does not count")
        elif one.name in self.state.answered:
            # The first counts: a second answer could be written by anybody who reads the ledger.
            self.fault(one, f"{one.name} answers this check twice; the first answer counts")
        elif one.kind == "CONSENT":
            self.record(Consented(one.name, standing.number, standing.hash))
        elif one.kind == "STAND ASIDE" and self.state.config.scenario.stand_aside:
            self.record(StoodAside(one.name, standing.number, standing.hash, one.text))
        elif one.kind == "STAND ASIDE":
            self.fault(one, f"{one.name} stands aside, which this table does not allow: it does not count")
        else:
            self.record(Objected(one.name, standing.number, standing.hash, one.text, False))

    def _settle_check(self, final: bool = False) -> None:
        """An open check is over when the talk goes on: who has not answered objects."""
        standing = self.state.standing
        if self.state.phase is not Phase.CHECK or standing is None:
            return
        for name in self.state.names:
            if name not in self.state.answered:
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

    def _claim(self, one: TranscriptBlock) -> None:
        done = self.state.outcome is not None and self.state.outcome.status is Status.DONE
        if one.kind == "DONE" and not done:
            self.fault(one, "[DONE] without everybody's consent to the same proposal")
        if one.kind == "INCOMPLETE" and done:
            self.fault(one, "[INCOMPLETE], but everybody consented")
        if self.state.outcome is None:
            s = self.state
            self.record(Ended(Status.INCOMPLETE.value, one.text, s.turns, s.speaking_turns, 0, "", None))
        self.over = True

    def close(
        self, said: tuple[TranscriptBlock, ...], claimed: dict[str, str], advocates: dict[str, str]
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
            said,
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
