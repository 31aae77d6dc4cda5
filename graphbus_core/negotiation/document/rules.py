"""The rules: what may be done, by whom, when. Pure questions about a state; each answer is a tuple of reasons.

An empty tuple means yes. All reasons are given at once, because a refused agent has paid for its turn already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from graphbus_core.negotiation.document.coverage import missing_decisions, visible
from graphbus_core.negotiation.document.headings import heading_in, open_fence_in, trimmed
from graphbus_core.negotiation.document.state import Issue, State, evolve
from graphbus_core.negotiation.document.vocabulary import (
    MAX_ISSUES,
    MAX_TEXT,
    NAME,
    RESERVED,
    Edits,
    Mark,
    NewIssue,
    Noted,
    Phase,
    Reason,
    Status,
    Words,
)

Reasons = tuple[Reason, ...]

# What a hand-off through us is refused for, and what stays if a turn moved without us: nobody's words are lost by it.
FORGIVEN = frozenset({"second", "fence", "summary"})


def position_file(stem: str) -> str:
    """Where the positions on an issue stand, relative to the negotiation's directory."""
    return f"positions/{stem}.md"


def issue_file(stem: str) -> str:
    """Where an issue stands."""
    return f"issues/{stem}.md"


def to_register(state: State, name: str, participant: str = "") -> Reasons:
    """Why `name` cannot take a seat. Codes: bad_name, seated, taken, over, closed, full."""
    if not NAME.fullmatch(name):
        return (
            Reason(f"{name!r} is no agent's name.", "Use a-z, 0-9 and -, beginning with a letter.", code="bad_name"),
        )
    if name in RESERVED:
        return (
            Reason(
                f"{name!r} is a word of turn.md, not a name.", "Choose another, such as agent-alpha.", code="bad_name"
            ),
        )
    mine = participant and state.seat_of(participant)
    if mine and mine != name:
        todo = f"Go on as {mine}; another agent of the same session gives an identity of its own: --participant ID."
        return (Reason(f"You already sit here as {mine} ({participant}).", todo, code="seated"),)
    if name in state.agents:
        todo = f"That is you: go on as {name}." if mine else "Take the next name."
        return (Reason(f"The name {name} is taken.", todo, code="taken"),)
    if reasons := to_join(state):
        return reasons
    if state.phase is not Phase.REGISTRATION:
        return (Reason("Registration is closed.", "Ask the others to open a new negotiation.", code="closed"),)
    if len(state.agents) >= state.settings.expected_agents:
        return (Reason("All seats are taken.", "Ask the others to open a new negotiation.", code="full"),)
    return ()


def to_join(state: State) -> Reasons:
    """Why there is nothing to join any more. Code: over."""
    if state.phase is not Phase.DONE:
        return ()
    what = f"The negotiation is over: {state.ended}." if state.ended else "The negotiation is over: read final.md."
    return (Reason(what, "For a new one name another DIR.", code="over"),)


def to_hold(state: State, who: str) -> Reasons:
    """Why `who` does not hold the turn. Codes: unknown, done, early, turn."""
    if state.phase is Phase.DONE:
        return (Reason("The negotiation is over.", "Read final.md.", code="done"),)
    if who not in state.agents:
        return (_unknown(who),)
    if who in state.analysing():
        todo = f"Write analysis/{who}.md, then `graphbus negotiate analysis-done DIR {who}`."
        return (Reason("The turns begin when every analysis is in.", todo, "phase.md", 1, "early"),)
    if state.phase is not Phase.POSITIONS:
        return (Reason("The turns have not begun.", "Wait with `graphbus negotiate wait-turn`.", code="early"),)
    if state.holder != who:
        return (
            Reason(
                f"The turn is {state.holder}'s, not {who}'s.",
                "What you wrote stays in the files; poll until it is your turn.",
                "turn.md",
                1,
                "turn",
            ),
        )
    return ()


def _unknown(who: str) -> Reason:
    return Reason(
        f"{who or 'Nobody'} is not registered here.", "Use the name that you registered.", "agents.md", 0, "unknown"
    )


def to_analyse(state: State, who: str) -> Reasons:
    """Why no analysis is expected of `who`. Codes: unknown, early, late, none."""
    if who in state.analysing() and state.settings.rigorous:
        return ()
    if who not in state.agents:
        return (_unknown(who),)
    if state.phase is Phase.REGISTRATION:
        return (
            Reason("Registration is open.", "Wait for the start with `graphbus negotiate wait-turn`.", code="early"),
        )
    todo = "File what is to be decided with `graphbus negotiate new-issue`, in your turn."
    if not state.settings.rigorous:
        return (Reason("No analysis is wanted here: it is not --rigorous.", todo, code="none"),)
    return (Reason("The analyses are over.", todo, code="late"),)


def to_file(state: State, who: str) -> Reasons:
    """Why no issue may be filed now. `who` "" is somebody before the first turn."""
    if state.phase is Phase.DONE:
        return (Reason("The negotiation is over.", "File it in a new one.", code="done"),)
    if len(state.issues) >= MAX_ISSUES:
        return (Reason(f"There are {MAX_ISSUES} issues.", "Settle some of them first.", code="bound"),)
    if who and state.turns.get(who, 0) + 1 >= state.settings.max_rounds:
        return (
            Reason(
                f"This is turn {state.turns.get(who, 0) + 1} of {who}; from turn {state.settings.max_rounds} on "
                "nobody files a new issue.",
                "Say it in a position on an issue that is open.",
                code="bound",
            ),
        )
    return ()


def last_round(state: State, issue: Issue, who: str) -> bool:
    """Whether this turn is the agent's last round on the issue."""
    return state.rounds_used(issue, who) + 1 >= state.settings.max_rounds


def owes_word(state: State, issue: Issue, who: str) -> bool:
    """Whether `who` may not hand over before it has said something on this issue."""
    if issue.turn == state.turn and issue.by == who:
        return False  # filed just now: its two sides say enough
    if issue.open:
        return True
    return issue.status is Status.AGREED and not issue.stands and not state.stands(issue) and who not in issue.authors


def to_hand_off(state: State, who: str, edits: Edits) -> Reasons:
    """Why this turn cannot be handed over as it is: every reason at once."""
    if reasons := to_hold(state, who):
        return reasons
    found = tuple(faults(state, who, edits))
    reasons = (*edits.flaws, *(why for _, why in found))
    if any(r.code == "missing" for r in reasons):
        return reasons
    after = _after(state, who, edits, tuple(f for f in found if f[1].code not in FORGIVEN))
    return (*reasons, *owed(after, who, edits))


def owed(after: State, who: str, edits: Edits) -> Iterator[Reason]:
    """What the holder has still to do, judged on the state as it would be."""
    marked = {m.issue: m for m in edits.marks}
    beside = {r.issue: r for r in reversed(edits.remarks)}
    for stem in edits.blank:
        if stem in after.issues and not after.issues[stem].entries:
            yield Reason(
                "You filed this issue in this turn, and it is still the empty form.",
                f"Write there what is to be decided, or your position in {position_file(stem)}.",
                issue_file(stem),
                1,
                "blank",
            )
    for issue in after.issues.values():
        stem = issue.stem
        now = after.wrote_now(issue, who)
        touched = now or (issue.marked_turn == after.turn and issue.marked_by == who and not issue.open)
        if owes_word(after, issue, who) and not touched:
            what = "is open" if issue.open else "is agreed by others, but not by you yet"
            heading = f"`## {who}'s position (round {after.rounds_used(issue, who) + 1})`"
            if (words := beside.get(stem)) is not None:
                like = re.search(r"position|challenge", words.text.split("\n", 1)[0], re.IGNORECASE)
                where = "looks like your heading" if like else "and what follows stand under no heading"
                yield Reason(
                    f"{issue.title!r} {what}, and there is no entry of yours: line {words.line} {where}.",
                    f"Write {heading} {'there' if like else 'above it, if it is yours'}.",
                    position_file(stem),
                    words.line,
                    "owed",
                )
                continue
            yield Reason(
                f"{issue.title!r} {what}, and you wrote nothing on it.",
                f"Append a {heading}.",
                position_file(stem),
                code="owed",
            )
        elif issue.open and issue.turn < after.turn and last_round(after, issue, who):
            yield Reason(
                f"This is your round {after.rounds_used(issue, who) + 1} of {after.settings.max_rounds} on "
                f"{issue.title!r}.",
                "Change its Status to AGREED with the decision, or to ESCALATE with a summary.",
                position_file(stem),
                marked[stem].line if stem in marked else 0,
                "last_round",
            )


def faults(state: State, who: str, edits: Edits) -> Iterator[tuple[NewIssue | Words | Mark, Reason]]:
    """Each single edit that breaks a rule, with the reason."""
    filing = to_file(state, who)
    new: set[str] = set()
    for issue in edits.issues:
        if issue.stem in state.issues or issue.stem in new:
            yield issue, Reason(f"There is an issue {issue.stem} already.", "Use new-issue.", issue_file(issue.stem), 1)
        elif filing:
            yield issue, Reason(filing[0].what, filing[0].todo, issue_file(issue.stem), 1, "bound")
        elif len(issue.text) > MAX_TEXT:
            yield (
                issue,
                Reason("The issue is too long.", f"{MAX_TEXT:,} characters at most.", issue_file(issue.stem), 1),
            )
        else:
            new.add(issue.stem)
    seen: set[str] = set()
    for words in edits.words:
        if (why := _word_fault(state, who, words, new, seen)) is not None:
            yield words, why
    for mark in edits.marks:
        if (why := _mark_fault(state, who, mark, edits, new)) is not None:
            yield mark, why


def _word_fault(state: State, who: str, words: Words, new: set[str], seen: set[str]) -> Reason | None:
    file = position_file(words.issue)
    if words.issue not in state.issues and words.issue not in new:
        return Reason("There is no such issue.", "File it with new-issue first.", file, words.line, "missing")
    if not trimmed(words.text).strip():
        return Reason("The entry is empty.", "Write your position below its heading.", file, words.line)
    if len(words.text) > MAX_TEXT:
        return Reason("The entry is too long.", f"{MAX_TEXT:,} characters at most.", file, words.line)
    if (why := _text_fault(who, words.text, file, words.line)) is not None:
        return why
    if f"{words.kind} {words.issue}" in seen:
        what = f"This is your second {words.kind} in one turn."
        return Reason(what, "Make one of the two.", file, words.line, "second")
    seen.add(f"{words.kind} {words.issue}")
    return None


def _text_fault(who: str, text: str, file: str = "", line: int = 0) -> Reason | None:
    """Why a text cannot stand in a position file: it would not be read back as it is."""
    if (at := heading_in(text, who)) != 0:
        what = f"Line {at} of the text would be read as a heading of the protocol."
        return Reason(what, "Indent it by four spaces, or put it in a (longer) code fence.", file, line, "heading")
    if (at := open_fence_in(text)) != 0:
        what = f"Line {at} of the text opens a code fence that is never closed."
        return Reason(what, "Close it, or what follows would be read as code, too.", file, line, "fence")
    return None


def _mark_fault(state: State, who: str, mark: Mark, edits: Edits, new: set[str]) -> Reason | None:
    file = position_file(mark.issue)
    issue = state.issues.get(mark.issue)
    if issue is None:
        if mark.issue not in new:
            return Reason("There is no such issue.", "File it with new-issue first.", file, mark.line, "missing")
        issue = Issue(mark.issue, mark.issue, "", who, state.turn)
    if mark.status not in tuple(Status):
        return Reason(
            f"`## Status: {mark.status}` is no status.",
            "It is OPEN, AGREED or ESCALATE, alone on its line.",
            file,
            mark.line,
        )
    if issue.stands:
        what = "was ruled on" if issue.ruled else "is agreed and stands"
        return Reason(f"{issue.title!r} {what}.", "Put its Status and its decision back as they were.", file, mark.line)
    if len(mark.text) > MAX_TEXT:
        return Reason("The text below the Status is too long.", f"{MAX_TEXT:,} characters at most.", file, mark.line)
    if (why := _text_fault("", mark.text, file, mark.line)) is not None:
        return why
    match Status(mark.status):
        case Status.AGREED:
            return _agree_fault(state, who, issue, mark, edits, file)
        case Status.OPEN if issue.status is Status.ESCALATE:
            return Reason(
                f"{issue.title!r} was escalated.", "Only a person or the arbiter brings it back.", file, mark.line
            )
        case Status.ESCALATE if issue.status is Status.ESCALATE:
            return Reason(f"{issue.title!r} is escalated already.", "Leave its summary as it was.", file, mark.line)
        case Status.ESCALATE if not _says(mark.text):
            return Reason(
                "ESCALATE needs a summary of the disagreement.",
                "Write below the Status line who wants what, and why.",
                file,
                mark.line,
                "summary",
            )
    return None


def _says(text: str) -> bool:
    """Whether there is a word in it that a reader sees."""
    return re.search(r"\w", visible(text)) is not None


def _agree_fault(state: State, who: str, issue: Issue, mark: Mark, edits: Edits, file: str) -> Reason | None:
    if not (issue.authors - {who}):
        return Reason(
            f"You cannot agree with yourself: nobody else has written a position on {issue.title!r}.",
            "Set it to `## Status: OPEN` and let another agent answer.",
            file,
            mark.line,
            "self",
        )
    if not _says(mark.text):
        return Reason("AGREED needs the decision.", "Write it below the Status line.", file, mark.line)
    if state.settings.rigorous:
        here = any(w.issue == issue.stem and w.kind == "challenge" for w in edits.words)
        if not here and not any(e.kind == "challenge" for e in issue.entries):
            return Reason(
                "Nobody has challenged it yet.",
                f"Append a `## {who}'s challenge (round N)` with the strongest objection, before AGREED.",
                file,
                mark.line,
                "challenge",
            )
    return None


def admissible(state: State, who: str, edits: Edits) -> tuple[Edits, Reasons]:
    """What of these edits keeps the rules, and why the rest does not: for a turn that moved without us."""
    bad = [(item, why) for item, why in faults(state, who, edits) if why.code not in FORGIVEN]
    wrong = {id(item) for item, _ in bad}
    kept = Edits(
        tuple(w for w in edits.words if id(w) not in wrong),
        tuple(m for m in edits.marks if id(m) not in wrong),
        tuple(i for i in edits.issues if id(i) not in wrong),
    )
    there = state.issues.keys() | {i.stem for i in kept.issues}
    kept = replace(kept, remarks=tuple(r for r in edits.remarks if r.issue in there))
    return kept, (*edits.flaws, *(why for _, why in bad))


def to_finish(state: State, edits: Edits, final: str, audited: bool = False) -> Reasons:
    """Why the negotiation cannot be finished by its holder after these edits. `audited`: coverage-audit.md is there."""
    if state.phase is Phase.DONE:
        return () if state.final else (Reason(f"It ended without a document: {state.ended}.", code="done"),)
    if state.phase is not Phase.POSITIONS or not state.holder:
        return (Reason("The turns have not begun.", "Register, and wait for the start.", code="early"),)
    who = state.holder
    found = tuple(faults(state, who, edits))
    reasons = edits.flaws + tuple(why for _, why in found)
    if any(r.code == "missing" for r in reasons):
        return reasons
    after = _after(state, who, edits, found)
    if not after.issues:
        reasons += (
            Reason("There is no issue, so nothing was agreed.", "File one with new-issue.", "issues/", code="empty"),
        )
    waiting = {issue.stem for issue in after.awaiting_judge()}
    for issue in after.issues.values():
        if issue.stands or after.stands(issue):
            continue
        file = position_file(issue.stem)
        if issue.open:
            reasons += (
                Reason(f"{issue.title!r} is open.", "Settle it in turns; hand off until then.", file, code="open"),
            )
        elif issue.status is Status.AGREED:
            rest = [a for a in after.agents if a not in issue.authors | issue.excused | {issue.marked_by}]
            reasons += (
                Reason(
                    f"{issue.title!r} is agreed, but {', '.join(rest)} had no say yet.", "Hand off.", file, code="open"
                ),
            )
        elif issue.stem in waiting:
            judge = after.settings.judge
            reasons += (
                Reason(f"{issue.title!r} waits for the ruling of {judge}.", "Wait for it.", file, code="judge"),
            )
    if not visible(final).strip():
        reasons += (
            Reason("final.md is missing or empty.", "Write it, with every decision.", "final.md", code="final"),
        )
    elif len(final) > MAX_TEXT:
        reasons += (Reason("final.md is too long.", f"{MAX_TEXT:,} characters at most.", "final.md", code="final"),)
    else:
        reasons += tuple(missing_decisions(after.issues.values(), final))
    if state.settings.rigorous and not audited:
        reasons += (
            Reason(
                "coverage-audit.md is missing or empty.",
                "Say there where each point of the sources went, before you finish.",
                "coverage-audit.md",
                code="audit",
            ),
        )
    return reasons


def no_such_issue(state: State, name: str) -> Reason:
    """None or several are meant by `name`; which there are."""
    some = ", ".join(list(state.issues)[:20]) + (", …" if len(state.issues) > 20 else "")
    todo = f"Name one of {some}." if some else "There is none yet: file one with `graphbus negotiate new-issue`."
    return Reason(f"There is no one issue {name!r}.", todo, code="missing")


def to_rule(state: State, stem: str, text: str) -> Reasons:
    """Why a judge cannot rule on this issue now."""
    issue = state.issues.get(stem)
    if issue is None:
        return (no_such_issue(state, stem),)
    if state.phase is not Phase.POSITIONS:
        return (Reason("Rulings are given while the turns go round.", code="early"),)
    if issue.status is not Status.ESCALATE:
        return (Reason(f"{issue.title!r} is {issue.status}, not escalated.", "Leave it to the agents.", code="open"),)
    if not text.strip() or len(text) > MAX_TEXT:
        return (Reason("A ruling is the decision in words.", "Give it with --text or --file.", code="empty"),)
    why = _text_fault("", text)
    return (why,) if why is not None else ()


def to_reopen(state: State, stem: str) -> Reasons:
    """Why a person cannot give this issue back to the agents."""
    issue = state.issues.get(stem)
    if issue is None:
        return (no_such_issue(state, stem),)
    if state.phase is not Phase.POSITIONS:
        return (Reason("It can be reopened while the turns go round.", code="early"),)
    if issue.open:
        return (Reason(f"{issue.title!r} is open.", code="open"),)
    return ()


def _after(state: State, who: str, edits: Edits, found: tuple[tuple[NewIssue | Words | Mark, Reason], ...]) -> State:
    """The state as it would be, with all that breaks no rule."""
    bad = {id(item) for item, _ in found}
    kept = Edits(
        tuple(w for w in edits.words if id(w) not in bad),
        tuple(m for m in edits.marks if id(m) not in bad),
        tuple(i for i in edits.issues if id(i) not in bad),
    )
    return evolve(state.clone(), Noted(who, state.turn, **kept.to_dict()))
