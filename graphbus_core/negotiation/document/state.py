"""The state of a document negotiation, folded from its facts. It knows no file and judges nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from graphbus_core.negotiation.core import Event
from graphbus_core.negotiation.document import events
from graphbus_core.negotiation.document.model import FINAL, MODERATOR, Edits, Phase, Settings, Status, strip_origin


@dataclass(frozen=True, slots=True)
class IssueEntry:
    """A position or a challenge, as its author wrote it. `number` is the round in its heading."""

    by: str
    kind: str
    number: int
    text: str
    turn: int
    offer: bool = False  # meant as the decision


@dataclass
class Issue:
    """One point, with all that was said on it. `rounds` counts for each agent (design §9)."""

    stem: str
    title: str
    text: str
    by: str
    turn: int  # in which it was filed; 0 before the first
    status: Status = Status.OPEN
    decision: str = ""
    marked_by: str = ""
    marked_turn: int = 0
    stands: bool = False  # an agreement that no agent can reopen, or a ruling
    ruled: bool = False
    unruled: bool = False  # the judge had nothing to say
    entries: list[IssueEntry] = field(default_factory=list)
    rounds: dict[str, int] = field(default_factory=dict)
    excused: set[str] = field(default_factory=set)  # skipped, or handed over without us and without a word
    authors: set[str] = field(default_factory=set)  # who has written a position
    remarks: list[str] = field(default_factory=list)  # what stands in its file beside the entries
    decisions: set[str] = field(default_factory=set)  # every decision and summary that it ever had
    accepted: dict[str, tuple[str, str]] = field(default_factory=dict)  # who accepted which offer, in which words
    accepted_turn: dict[str, int] = field(default_factory=dict)
    skips: dict[str, int] = field(default_factory=dict)  # whose last turn was skipped, and which turn that was
    last_offer_by: str = ""  # who made an offer in its last round: all others have one reply to it
    last_offer_turn: int = 0
    replied: set[str] = field(default_factory=set)

    @property
    def is_open(self) -> bool:
        """Whether every agent owes it a word."""
        return self.status is Status.OPEN

    @property
    def is_settled(self) -> bool:
        """Whether agents have nothing more to do about it."""
        return self.stands or self.status is Status.ESCALATE

    def clone(self) -> Issue:
        """A copy that may be changed."""
        return replace(
            self,
            entries=list(self.entries),
            rounds=dict(self.rounds),
            excused=set(self.excused),
            authors=set(self.authors),
            remarks=list(self.remarks),
            decisions=set(self.decisions),
            accepted=dict(self.accepted),
            accepted_turn=dict(self.accepted_turn),
            skips=dict(self.skips),
            replied=set(self.replied),
        )


@dataclass
class State:
    """Everything that the rules look at."""

    settings: Settings = field(default_factory=Settings)
    phase: Phase = Phase.UNOPENED
    agents: list[str] = field(default_factory=list)  # in the order of their turns
    participants: dict[str, str] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)  # digests, of those who have one
    topic: str = ""
    sources: dict[str, str] = field(default_factory=dict)
    issues: dict[str, Issue] = field(default_factory=dict)
    turn: int = 0
    holder: str = ""  # "" between two turns
    last_holder: str = ""
    turns: dict[str, int] = field(default_factory=dict)  # held or skipped, for each agent
    idle: int = 0  # turns in a row in which nothing was settled, said or filed
    busy: bool = False  # whether something was, in this turn
    closing: bool = False  # whether the holder is about to finish
    recalled: int = 0  # the last turn in which turn.md said done too early, for a moment in which others may have left
    direct: set[str] = field(default_factory=set)  # who has handed over through us, and not by moving turn.md
    analyses: dict[str, events.AnalysisHanded] = field(default_factory=dict)
    notices: list[events.EditUndone] = field(default_factory=list)
    reopened: int = 0  # how often a person gave an issue back
    draft: str = ""  # the document that is to be accepted
    draft_hash: str = ""  # of it and of all that it is about; "" where that has changed since
    signed: dict[str, int] = field(default_factory=dict)  # who accepted the hash, and in which turn
    skips: dict[str, int] = field(default_factory=dict)  # whose last turn was skipped, and which turn that was
    drafts: dict[str, int] = field(default_factory=dict)  # how many documents each has written
    final: str = ""
    left_out: tuple[str, ...] = ()
    ended: str = ""  # why, where it ended without a final document

    @property
    def has_started(self) -> bool:
        """Whether registration is over."""
        return self.phase in (Phase.ANALYSIS, Phase.POSITIONS) or self.turn > 0

    def clone(self) -> State:
        """A copy on which "what if" can be tried."""
        return replace(
            self,
            agents=list(self.agents),
            participants=dict(self.participants),
            seats=dict(self.seats),
            issues={stem: issue.clone() for stem, issue in self.issues.items()},
            sources=dict(self.sources),
            turns=dict(self.turns),
            direct=set(self.direct),
            analyses=dict(self.analyses),
            signed=dict(self.signed),
            skips=dict(self.skips),
            drafts=dict(self.drafts),
            notices=list(self.notices),
        )

    def count_rounds(self, issue: Issue, name: str) -> int:
        """An agent's rounds on an issue: entries of its own, and turns held or skipped without one."""
        return issue.rounds.get(name, 0)

    def has_written_now(self, issue: Issue, name: str) -> bool:
        """Whether `name` has written a position on it in this turn."""
        return any(e.turn == self.turn and e.by == name and e.kind == "position" for e in reversed(issue.entries[-8:]))

    def find_next_holder(self, name: str) -> str:
        """Who has the turn after `name`."""
        return self.agents[(self.agents.index(name) + 1) % len(self.agents)] if name in self.agents else self.agents[0]

    def stands(self, issue: Issue) -> bool:
        """Whether an AGREED of the first edition stands: of two agents at once, of more when all have spoken."""
        if issue.status is not Status.AGREED:
            return False
        if issue.ruled or len(self.agents) <= 2:
            return True
        spoken = issue.authors | issue.excused | {issue.marked_by}
        return all(name in spoken for name in self.agents)

    def may_have_left(self, name: str) -> bool:
        """Whether this agent, which reads turn.md without us, may have seen a `done` that was put back since."""
        ours = name in self.direct or name in self.tokens or self.seats.get(name) == "model"
        return self.recalled > 0 and not ours

    def find_awaiting_judge(self) -> Iterator[Issue]:
        """Escalated issues that a seated judge has still to rule on."""
        issues = self.issues.values() if self.settings.judge else ()
        yield from (issue for issue in issues if issue.status is Status.ESCALATE and not issue.unruled)

    def list_analysing(self) -> list[str]:
        """Who still owes its analysis, in the order of the turns: in the rigorous form everybody, else our models."""
        if self.phase is not Phase.ANALYSIS:
            return []
        owing = (name for name in self.agents if self.settings.rigorous or self.seats.get(name) == "model")
        return [name for name in owing if name not in self.analyses]

    def find_seat(self, participant: str) -> str:
        """Under which name this participant sits, "" under none. The later edition of the scripts says before an
        identity where it comes from (`claude:…`); whoever left that out is the same."""
        bare = strip_origin(participant)
        for name in self.agents:
            other = self.participants.get(name, "")
            if other and (other == participant or (bare == strip_origin(other) and bare in (participant, other))):
                return name
        return ""

    def are_all_settled(self) -> bool:
        """Whether there is at least one issue and nothing is left for the agents (trap 7: not of zero issues)."""
        return bool(self.issues) and all(issue.is_settled for issue in self.issues.values())


def evolve(state: State, event: Event) -> State:
    """The fold. Every fact was judged before it was recorded, so nothing is judged here."""
    if isinstance(event, _CHANGES) or (isinstance(event, _TURNS) and _has_changed_issues(event)):
        state.draft_hash = ""  # what was accepted is about something else now
        state.signed.clear()
    match event:
        case events.FinalDrafted():
            _apply_draft(state, event)
        case events.TurnOpened(turn=turn, holder=holder):
            state.turn, state.holder, state.busy, state.closing = turn, holder, False, False
        case events.Noted():
            _apply_edits(state, event.holder, Edits.from_dict(event.to_dict()))
        case events.TurnTaken(holder=holder):
            _apply_edits(state, holder, Edits.from_dict(event.to_dict()))
            _end_turn(state, holder, excuse=event.how == "moved")
            if event.how != "moved":
                state.direct.add(holder)
        case events.TurnSkipped(holder=holder):
            _end_turn(state, holder, excuse=True, skipped=True)
        case events.Finished(final=final):
            state.final, state.left_out, state.phase, state.holder = final, event.left_out, Phase.DONE, ""
            for issue in state.issues.values():
                issue.stands = issue.stands or state.stands(issue)
        case events.Ended(why=why):
            state.ended, state.phase, state.holder = why, Phase.DONE, ""
        case _:
            _evolve_frame(state, event)
    return state


# What a final document is about: with any of these it is another, and has to be accepted anew.
_CHANGES = (
    events.SourceRead,
    events.IssueFiled,
    events.IssueWorded,
    events.AgreementReached,
    events.IssuesEscalated,
    events.IssueRuled,
    events.IssueReopened,
)
_TURNS = (events.Noted, events.TurnTaken)


def _has_changed_issues(event: events.Noted | events.TurnTaken) -> bool:
    """Whether what was said in a turn changes an issue; a position changes none."""
    return bool(event.issues or event.marks or any(accept["issue"] != FINAL for accept in event.accepts))


def _apply_draft(state: State, event: events.FinalDrafted) -> None:
    """A document takes the place of the one before; its author has accepted it, and nobody else."""
    state.draft, state.draft_hash, state.left_out = event.final, event.hash, event.left_out
    state.signed = {event.by: event.turn} if event.by else {}
    if event.by:
        state.drafts[event.by] = state.drafts.get(event.by, 0) + 1
        state.busy = True
    if event.how == "answer":
        _end_turn(state, event.by, excuse=False)


def _evolve_frame(state: State, event: Event) -> None:
    """Who sits there under which settings, and what lies on the table: topic, sources, issues."""
    match event:
        case events.Opened(settings=settings):
            state.settings = Settings.from_dict(settings)
            state.phase = Phase.REGISTRATION
        case events.SettingsChanged(settings=settings):
            state.settings = Settings.from_dict(settings)
        case events.JudgeSeated(judge=judge):
            state.settings = replace(state.settings, judge=judge)
        case events.Registered():
            _register(state, event)
        case events.RegistrationClosed():
            first = state.settings.rigorous or state.settings.drafting
            state.phase = Phase.ANALYSIS if first else Phase.POSITIONS
        case events.AnalysisHanded(name=name):
            state.analyses[name] = event
        case events.DraftsMerged(issues=issues):
            state.phase = Phase.POSITIONS
            for issue in issues:
                _file_issue(state, issue, "")
        case events.SourceRead(name="", text=text):
            state.topic = text
        case events.SourceRead(name=name, text=text):
            state.sources[name] = text
        case events.IssueFiled():
            _file_issue(state, event.to_dict(), event.by)
            state.busy = True
        case events.IssueWorded(stem=stem):
            state.issues[stem].title, state.issues[stem].text = event.title, event.text
        case events.Adopted():
            _adopt(state, event)
        case _:
            _evolve_issue(state, event)


def _register(state: State, fact: events.Registered) -> None:
    state.agents.append(fact.name)
    state.participants[fact.name] = fact.participant
    state.seats[fact.name] = fact.seat
    if fact.token:
        state.tokens[fact.name] = fact.token


def _evolve_issue(state: State, event: Event) -> None:
    """What became of one issue, or of several; and that the holder is about to finish."""
    match event:
        case events.TurnClosing():
            state.closing = True
        case events.EndRecalled(turn=turn):
            state.recalled = turn
        case events.AgreementReached(issue=stem):
            _apply_agreement(state.issues[stem], event)
            state.busy = True
        case events.Explained(issue=stem, text=text):
            issue = state.issues[stem]
            number = 1 + sum(e.kind == "note" for e in issue.entries)
            issue.entries.append(IssueEntry(MODERATOR, "note", number, text, state.turn))
        case events.AgreementsStood(issues=stems):
            for stem in stems:
                state.issues[stem].stands = True
        case events.IssuesEscalated(issues=stems, why=why):
            for stem in stems:
                issue = state.issues[stem]
                issue.status, issue.decision, issue.marked_by = Status.ESCALATE, why, ""
                issue.decisions.add(why)
        case events.IssueRuled(issue=stem):
            _apply_ruling(state.issues[stem], event)
        case events.IssueReopened(issue=stem):
            _reopen_issue(state, state.issues[stem])
        case events.EditUndone():
            state.notices.append(event)


def _adopt(state: State, event: events.Adopted) -> None:
    state.settings = Settings.from_dict(event.settings)
    state.phase = Phase.POSITIONS
    for name, participant in event.agents:
        state.agents.append(name)
        state.participants[name] = participant
        state.seats[name] = ""
    for data in event.issues:
        _file_issue(state, data, "")
        issue = state.issues[data["stem"]]
        issue.status, issue.decision = Status(data["status"]), data["decision"]
        issue.decisions.add(issue.decision)
        for e in data["entries"]:
            issue.entries.append(IssueEntry(e["by"], e["kind"], e["number"], e["text"], 0))
            if e["kind"] == "position":
                issue.authors.add(e["by"])
                issue.rounds[e["by"]] = issue.rounds.get(e["by"], 0) + 1
    if event.holder in state.agents:
        place = state.agents.index(event.holder)
        state.last_holder = state.agents[place - 1]
    else:
        state.phase, state.final = Phase.DONE, event.final
        state.ended = "" if event.final else "it was over before this log began"


def _file_issue(state: State, issue: Mapping[str, Any], by: str) -> None:
    stem = issue["stem"]
    state.issues[stem] = Issue(stem, issue["title"], issue["text"], by, state.turn)


def _apply_edits(state: State, holder: str, edits: Edits) -> None:
    for new in edits.issues:
        _file_issue(state, new.to_dict(), holder)
        state.busy = True
    if state.turn:  # a revision within the turn takes the place of what nobody has answered yet
        for stem, kind in {(words.issue, words.kind) for words in edits.words}:
            issue = state.issues[stem]
            issue.entries = [
                e for e in issue.entries if not (e.turn == state.turn and e.by == holder and e.kind == kind)
            ]
    for words in edits.words:
        issue = state.issues[words.issue]
        if words.kind == "position":
            issue.authors.add(holder)
        issue.entries.append(IssueEntry(holder, words.kind, words.number, words.text, state.turn, words.offer))
        state.busy = state.busy or not issue.is_settled
        if words.offer:
            _apply_offer(state, issue, holder, words.text)
    for accept in edits.accepts:
        state.busy = True
        if accept.issue == FINAL:
            if accept.hash == state.draft_hash:
                state.signed[holder] = state.turn
            continue
        issue = state.issues[accept.issue]
        issue.accepted[holder], issue.accepted_turn[holder] = (accept.hash, accept.text), state.turn
        # Whoever accepts takes back what it offered in this same turn.
        issue.entries = [e for e in issue.entries if not (e.offer and e.turn == state.turn and e.by == holder)]
        issue.decisions.add(accept.text)
    for mark in edits.marks:
        issue = state.issues[mark.issue]
        issue.status, issue.decision = Status(mark.status), mark.text
        issue.marked_by, issue.marked_turn = holder, state.turn
        issue.decisions.add(mark.text)
        state.busy = True
    for remark in edits.remarks:
        state.issues[remark.issue].remarks.append(remark.text)


def _apply_offer(state: State, issue: Issue, holder: str, text: str) -> None:
    """An offer takes the place of what its author accepted; in the last round it is the last that anybody makes."""
    issue.accepted.pop(holder, None)
    issue.decisions.add(text)
    if not issue.last_offer_by and state.count_rounds(issue, holder) + 1 >= state.settings.max_rounds:
        issue.last_offer_by, issue.last_offer_turn = holder, state.turn


def _apply_agreement(issue: Issue, event: events.AgreementReached) -> None:
    issue.status, issue.decision, issue.marked_by = Status.AGREED, event.text, event.by
    issue.decisions.add(event.text)
    issue.stands = True


def _end_turn(state: State, holder: str, excuse: bool, skipped: bool = False) -> None:
    for issue in state.issues.values():
        if issue.stands or issue.status is Status.ESCALATE:
            continue
        wrote = state.has_written_now(issue, holder) or issue.accepted_turn.get(holder) == state.turn
        issue.skips.pop(holder, None)
        if skipped and not wrote:
            issue.skips[holder] = state.turn
        if issue.last_offer_by and holder != issue.last_offer_by and state.turn > issue.last_offer_turn:
            issue.replied.add(holder)
        if wrote or (issue.turn < state.turn and issue.is_open):
            issue.rounds[holder] = issue.rounds.get(holder, 0) + 1
        if excuse and not wrote:
            issue.excused.add(holder)
    state.skips.pop(holder, None)
    if skipped:
        state.skips[holder] = state.turn
    state.turns[holder] = state.turns.get(holder, 0) + 1
    state.idle = 0 if state.busy else state.idle + 1
    state.last_holder, state.holder = holder, ""


def _apply_ruling(issue: Issue, event: events.IssueRuled) -> None:
    if not event.text:
        issue.unruled = True
        return
    issue.status, issue.decision, issue.marked_by = Status.AGREED, event.text, event.by
    issue.decisions.add(event.text)
    issue.ruled = issue.stands = True


def _reopen_issue(state: State, issue: Issue) -> None:
    issue.status, issue.decision, issue.marked_by = Status.OPEN, "", ""
    issue.stands = issue.ruled = issue.unruled = False
    for collection in (issue.rounds, issue.excused, issue.accepted, issue.replied):
        collection.clear()
    issue.last_offer_by = ""
    state.idle = 0
    state.reopened += 1
