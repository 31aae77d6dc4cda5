"""What a turn may hold: each new issue, entry and mark of its holder, judged by itself. Pure.

The rules about turns stand in `rules`; here is what a single edit has to be, and what of several can be kept.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from graphbus_core.negotiation.document import agreement, signing
from graphbus_core.negotiation.document.model import (
    FINAL,
    MAX_ISSUES,
    MAX_TEXT,
    Accept,
    Edits,
    Mark,
    NewIssue,
    Phase,
    Reason,
    Status,
    Words,
)
from graphbus_core.negotiation.document.state import Issue, State
from graphbus_core.negotiation.document.text.headings import find_heading, find_open_fence, trim_text
from graphbus_core.negotiation.document.text.statements import extract_visible_text

Reasons = tuple[Reason, ...]
Edit = NewIssue | Words | Mark | Accept

# What a hand-off through us is refused for, and what stays if a turn moved without us: nobody's words are lost by it.
# For these three the words are good and only their form is not. In a turn that moved without us nobody can be asked.
FORGIVEN = frozenset({"second", "fence", "summary"})


def position_file(stem: str) -> str:
    """Where the positions on an issue stand, relative to the negotiation's directory."""
    return f"positions/{stem}.md"


def issue_file(stem: str) -> str:
    """Where an issue stands."""
    return f"issues/{stem}.md"


def check_filing(state: State, who: str) -> Reasons:
    """Why no issue may be filed now. `who` "" is somebody before the first turn."""
    if state.phase is Phase.DONE:
        return (Reason("The negotiation is over.", "File it in a new one.", code="done"),)
    if len(state.issues) >= MAX_ISSUES:
        return (Reason(f"There are {MAX_ISSUES} issues.", "Settle some of them first.", code="bound"),)
    # In its last round an agent could file an issue that nobody has rounds left to settle.
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


def find_faults(state: State, who: str, edits: Edits) -> Iterator[tuple[Edit, Reason]]:
    """Each single edit that breaks a rule, with the reason."""
    filing = check_filing(state, who)
    new: set[str] = set()
    # New ones of the same turn count: two files of one number in one turn would overwrite each other.
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
    for accept in edits.accepts:
        if (why := _find_accept_fault(state, who, accept, edits)) is not None:
            yield accept, why
    seen_words: set[str] = set()
    for words in edits.words:
        if (why := _find_word_fault(state, who, words, new, seen_words)) is not None:
            yield words, why
    for mark in edits.marks:
        if (why := _find_mark_fault(state, who, mark, edits, new)) is not None:
            yield mark, why


def _find_accept_fault(state: State, who: str, accept: Accept, edits: Edits) -> Reason | None:
    if accept.issue == FINAL:
        return signing.find_signing_fault(state, accept)
    file = position_file(accept.issue)
    issue = state.issues.get(accept.issue)
    if issue is None:
        return Reason("There is no such issue.", "", file, accept.line, "missing")
    if not agreement.may_be_agreed(issue):
        what = "was ruled on" if issue.ruled else "is agreed and stands"
        return Reason(f"{issue.title!r} {what}.", "Nothing can be accepted on it.", file, accept.line)
    return agreement.find_accept_fault(state, who, accept, file) or _explain_missing_challenge(
        state, issue, edits, file, accept.line
    )


def _find_word_fault(state: State, who: str, words: Words, new: set[str], seen_words: set[str]) -> Reason | None:
    file = position_file(words.issue)
    if words.issue not in state.issues and words.issue not in new:
        return Reason("There is no such issue.", "File it with new-issue first.", file, words.line, "missing")
    if not trim_text(words.text).strip():
        return Reason("The entry is empty.", "Write your position below its heading.", file, words.line)
    if len(words.text) > MAX_TEXT:
        return Reason("The entry is too long.", f"{MAX_TEXT:,} characters at most.", file, words.line)
    if (why := find_text_fault(who, words.text, file, words.line)) is not None:
        return why
    if words.offer:
        issue = state.issues.get(words.issue)
        if issue is not None and not issue.is_open:
            todo = "Accept another's offer (`ACCEPTS <hash>`), or leave it as it is."
            return Reason(f"{issue.title!r} is {issue.status}, not open.", todo, file, words.line, "settled")
        if issue is not None and agreement.must_answer_last_offer(issue, who):
            what = f"{issue.last_offer_by} made its last offer on {issue.title!r}: there is one reply to it."
            return Reason(what, "Accept it, or escalate with a summary.", file, words.line, "last_offer")
        # An offer may stand beside the reasons for it: those are a position, and this is another thing.
        return None  # it may stand beside the reasons for it
    if f"{words.kind} {words.issue}" in seen_words:
        what = f"This is your second {words.kind} in one turn."
        return Reason(what, "Make one of the two.", file, words.line, "second")
    seen_words.add(f"{words.kind} {words.issue}")
    return None


def find_text_fault(who: str, text: str, file: str = "", line: int = 0) -> Reason | None:
    """Why a text cannot stand in a position file: it would not be read back as it is."""
    # It would not be read back as it is: words that look like a heading of the protocol could put words into
    # another's mouth.
    if (line_number := find_heading(text, who)) != 0:
        what = f"Line {line_number} of the text would be read as a heading of the protocol."
        return Reason(what, "Indent it by four spaces, or put it in a (longer) code fence.", file, line, "heading")
    # An open fence swallows the rest of the file, the others' entries with it.
    if (line_number := find_open_fence(text)) != 0:
        what = f"Line {line_number} of the text opens a code fence that is never closed."
        return Reason(what, "Close it, or what follows would be read as code, too.", file, line, "fence")
    return None


def _find_mark_fault(state: State, who: str, mark: Mark, edits: Edits, new: set[str]) -> Reason | None:
    file = position_file(mark.issue)
    issue = state.issues.get(mark.issue)
    if issue is None:
        if mark.issue not in new:
            return Reason("There is no such issue.", "File it with new-issue first.", file, mark.line, "missing")
        issue = Issue(mark.issue, mark.issue, "", who, state.turn)
    if mark.status not in tuple(Status):
        return Reason(
            f"`## Status: {mark.status}` is not a status.",
            "It is OPEN, AGREED or ESCALATE, alone on its line.",
            file,
            mark.line,
        )
    # Settled by others or by a judge. The mark is put back, because a Status is read by scripts.
    if issue.stands:
        what = "was ruled on" if issue.ruled else "is agreed and stands"
        return Reason(f"{issue.title!r} {what}.", "Put its Status and its decision back as they were.", file, mark.line)
    if len(mark.text) > MAX_TEXT:
        return Reason("The text below the Status is too long.", f"{MAX_TEXT:,} characters at most.", file, mark.line)
    if (why := find_text_fault("", mark.text, file, mark.line)) is not None:
        return why
    match Status(mark.status):
        case Status.AGREED:
            return _find_agree_fault(state, who, issue, mark, edits, file)
        case Status.OPEN if issue.status is Status.ESCALATE:
            return Reason(
                f"{issue.title!r} was escalated.", "Only a person or the arbiter brings it back.", file, mark.line
            )
        case Status.ESCALATE if issue.status is Status.ESCALATE:
            return Reason(f"{issue.title!r} is escalated already.", "Leave its summary as it was.", file, mark.line)
        # Earlier it would be a way out of answering: the seed lets agents talk first.
        case Status.ESCALATE if not agreement.is_last_round(state, issue, who):
            return Reason(
                f"This is your round {state.count_rounds(issue, who) + 1} of {state.settings.max_rounds} on "
                f"{issue.title!r}: it is escalated in the last.",
                "Answer it with a position or an offer, and leave its Status OPEN.",
                file,
                mark.line,
                "early_escalation",
            )
        case Status.ESCALATE if not _has_words(mark.text):
            return Reason(
                "ESCALATE needs a summary of the disagreement.",
                "Write below the Status line who wants what, and why.",
                file,
                mark.line,
                "summary",
            )
    return None


def _has_words(text: str) -> bool:
    # Comments and rulers are not seen by a reader, so they say nothing.
    """Whether there is a word in it that a reader sees."""
    return re.search(r"\w", extract_visible_text(text)) is not None


def _find_agree_fault(state: State, who: str, issue: Issue, mark: Mark, edits: Edits, file: str) -> Reason | None:
    if not (issue.authors - {who}):
        return Reason(
            f"You cannot agree with yourself: nobody else has written a position on {issue.title!r}.",
            "Set it to `## Status: OPEN` and let another agent answer.",
            file,
            mark.line,
            "self",
        )
    if not _has_words(mark.text):
        return Reason("AGREED needs the decision.", "Write it below the Status line.", file, mark.line)
    return _explain_missing_challenge(state, issue, edits, file, mark.line)


def _explain_missing_challenge(state: State, issue: Issue, edits: Edits, file: str, line: int) -> Reason | None:
    # The strongest objection has to be on the table before an agreement, in the rigorous form.
    has_challenge = any(w.issue == issue.stem and w.kind == "challenge" for w in edits.words)
    if not state.settings.rigorous or has_challenge or any(e.kind == "challenge" for e in issue.entries):
        return None
    return Reason(
        "Nobody has challenged it yet.",
        f"Append a `## {state.holder}'s challenge (round N)` with the strongest objection, before AGREED.",
        file,
        line,
        "challenge",
    )


def select_admissible(state: State, who: str, edits: Edits) -> tuple[Edits, Reasons]:
    """What of these edits keeps the rules, and why the rest does not: for a turn that moved without us."""
    # Marks first. A wrong one must not decide how the words beside it are read.
    marked: list[tuple[Edit, Reason]] = [(m, why) for m, why in find_faults(state, who, edits) if isinstance(m, Mark)]
    marked = [(m, why) for m, why in marked if why.code not in FORGIVEN]
    unfit = {id(m) for m, _ in marked}
    edits = replace(edits, marks=tuple(m for m in edits.marks if id(m) not in unfit))
    edits = agreement.resolve_marks(state, who, edits)
    bad = marked + [(item, why) for item, why in find_faults(state, who, edits) if why.code not in FORGIVEN]
    admitted = _drop_edits(edits, {id(item) for item, _ in bad})
    # Remarks on an issue that was not filed in the end have nowhere to stand.
    known_stems = state.issues.keys() | {i.stem for i in admitted.issues}
    admitted = replace(admitted, remarks=tuple(r for r in edits.remarks if r.issue in known_stems))
    return admitted, (*edits.flaws, *(why for _, why in bad))


def _drop_edits(edits: Edits, wrong: Collection[int]) -> Edits:
    """What of the edits is none of these, by identity: two that say the same may differ in whether they are wrong."""
    return Edits(
        tuple(w for w in edits.words if id(w) not in wrong),
        tuple(m for m in edits.marks if id(m) not in wrong),
        tuple(i for i in edits.issues if id(i) not in wrong),
        accepts=tuple(a for a in edits.accepts if id(a) not in wrong),
    )
