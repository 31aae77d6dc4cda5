"""An agreement has two sides (design §9): who offered these words, and who accepted that very offer.

An offer is the latest position of its author, known by its hash: the same words tabled in another turn are another
offer (trap 10), and what its author has replaced can no longer be accepted. It stands when every other seated agent
that was not skipped since has accepted it, in a turn of its own; at least one has (silence is never a yes). Pure.

`AGREED` with a text is how the scripts in use speak (seed 004, "Take Your Turn"). It is read as what it says: another
agent's words, verbatim or as a faithful summary, are an acceptance; after an offer, so is a text that changes nothing
checkable in it. Any other text is its author's own offer.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from graphbus_core.negotiation.document.model import Accept, Edits, Mark, Reason, Status, Words
from graphbus_core.negotiation.document.state import Issue, IssueEntry, State
from graphbus_core.negotiation.document.text.headings import trim_text

_PROPOSED = re.compile(
    r"^[ \t>*_]*(?:proposed|proposal|i propose|we propose|offer|my offer|decision)\b[ \t*_]*[:：][ \t*_]*",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Agreement:
    """An offer that everybody accepted. `text` is the decision: the offer's words, or the summary that all gave."""

    hash: str
    by: str
    text: str
    accepted: tuple[str, ...]


def compute_offer_hash(stem: str, entry: IssueEntry) -> str:
    """What an acceptance names: the words, whose they are, and the turn in which they were tabled."""
    hash_basis = "\0".join((stem, entry.by, str(entry.turn), trim_text(entry.text)))
    # Four bytes: people and models type it, and it only has to tell apart the few offers on one issue.
    return hashlib.blake2b(hash_basis.encode(errors="replace"), digest_size=4).hexdigest()


def collect_offers(issue: Issue) -> dict[str, IssueEntry]:
    """The latest position of each agent by its hash, the newest last."""
    latest: dict[str, IssueEntry] = {}
    for entry in issue.entries:
        if entry.kind == "position":
            # Taken out first, so that a position that was replaced moves to the end: the newest is the last.
            latest.pop(entry.by, None)
            latest[entry.by] = entry
    return {compute_offer_hash(issue.stem, entry): entry for entry in latest.values()}


def find_newest_offer(issue: Issue, who: str) -> str:
    """The hash of the newest offer of another agent, "" where there is none."""
    return next((digest for digest, entry in reversed(collect_offers(issue).items()) if entry.by != who), "")


def extract_offer(text: str) -> str:
    """What of a position is proposed: what follows `Proposed:` at the beginning of a line, else all of it."""
    # The last `Proposed:` counts; earlier ones are usually quotations.
    matches = list(_PROPOSED.finditer(text))
    part = text[matches[-1].end() :].strip() if matches else ""
    return part or text


def split_acceptances(
    state: State, issue: Issue, entry: IssueEntry, digest: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who has accepted this offer, and who has still to: skipped since it was made, an agent is not waited for."""
    others = [name for name in state.agents if name != entry.by]
    yes = tuple(n for n in others if n in issue.accepted and issue.accepted[n][0] == digest)
    # Who was skipped since the offer is not waited for. Else one silent agent would block all the others.
    rest = tuple(n for n in others if n not in yes and issue.skips.get(n, 0) <= entry.turn)
    return yes, rest


def find_agreement(state: State, issue: Issue) -> Agreement | None:
    """The agreement on this issue, if everybody's acceptances make one."""
    if not issue.is_open:
        return None
    for digest, entry in collect_offers(issue).items():
        yes, rest = split_acceptances(state, issue, entry, digest)
        # At least one yes: with everybody skipped an offer would agree with itself.
        if yes and not rest:
            wordings = {issue.accepted[name][1] for name in yes}
            # One summary that all gave is the decision. Where their summaries differ, the offered words are.
            return Agreement(
                digest, entry.by, (wordings.pop() if len(wordings) == 1 else "") or extract_offer(entry.text), yes
            )
    return None


def is_last_round(state: State, issue: Issue, who: str) -> bool:
    """Whether this turn is the agent's last round on the issue; a reply to an offer in the last round is one, too."""
    return state.count_rounds(issue, who) + 1 >= state.settings.max_rounds or must_answer_last_offer(issue, who)


def must_answer_last_offer(issue: Issue, who: str) -> bool:
    """Whether all that is left to `who` is to accept another agent's last offer, or to escalate."""
    return bool(issue.last_offer_by) and issue.last_offer_by != who


def has_said(issue: Issue, who: str) -> bool:
    """Whether `who` need not speak on an open issue: it accepted an offer that still is one, or nobody has answered
    its own."""
    current_offers = collect_offers(issue)
    if who in issue.accepted and issue.accepted[who][0] in current_offers:
        return True
    last = next((e for e in reversed(issue.entries) if e.kind == "position"), None)
    # Its own offer is the last word, so the answer is somebody else's to give.
    return last is not None and last.by == who and last.offer


def find_accept_fault(state: State, who: str, accept: Accept, file: str) -> Reason | None:
    """Why this is not an acceptance. Codes: self, stale."""
    issue = state.issues[accept.issue]
    current_offers = collect_offers(issue)
    entry = current_offers.get(accept.hash)
    if entry is not None and entry.by != who:
        return None
    others = ", ".join(f"{digest} ({e.by})" for digest, e in current_offers.items() if e.by != who)
    if entry is not None or not others:
        what = f"You cannot agree with yourself: nobody else has written a position on {issue.title!r}."
        if others:
            what = "You cannot agree with yourself: that is your own offer."
        return Reason(what, f"There is {others}." if others else "Let another agent answer.", file, accept.line, "self")
    what = f"There is no offer {accept.hash or '(none named)'} on {issue.title!r} any more."
    return Reason(what, f"Accept one of {others}.", file, accept.line, "stale")


def resolve_marks(state: State, who: str, edits: Edits) -> Edits:
    """These edits with each AGREED read as what it is: an acceptance, or an offer of its author's."""
    if not any(mark.status == Status.AGREED for mark in edits.marks):
        return edits
    new_words, accepts, marks = list(edits.words), list(edits.accepts), list[Mark]()
    # On copies: the same edits are resolved for the verdict and for the fact, and must come out alike.
    for mark in edits.marks:
        issue = state.issues.get(mark.issue)
        # An issue that stands keeps its mark, so that the rules can refuse it with the right reason.
        if mark.status != Status.AGREED or issue is None or issue.stands:
            marks.append(mark)
            continue
        acceptance = _find_acceptance(who, issue, mark)
        if acceptance is not None:
            accepts.append(acceptance)
            continue
        # After somebody's last offer another text is not an offer any more, but it may still be said.
        free = not must_answer_last_offer(issue, who)
        same = [n for n, w in enumerate(new_words) if (w.issue, w.kind) == (mark.issue, "position")]
        alike = [n for n in same if trim_text(new_words[n].text) == trim_text(mark.text)]
        if alike:
            # Marked AGREED and written as a position in one turn: it is one offer, not two.
            new_words[alike[-1]] = replace(new_words[alike[-1]], offer=free)
        else:
            new_words.append(
                Words(mark.issue, mark.text, "position", state.count_rounds(issue, who) + 1, mark.line, free)
            )
    return replace(edits, words=tuple(new_words), accepts=tuple(accepts), marks=tuple(marks))


def _find_acceptance(who: str, issue: Issue, mark: Mark) -> Accept | None:
    """The acceptance that an AGREED with this text is, if it is one: of the newest offer that it can mean."""
    from graphbus_core.negotiation.document.text.faithfulness import has_same_facts, is_summary_of

    others = [(digest, e) for digest, e in reversed(collect_offers(issue).items()) if e.by != who]
    # From exact words to weaker likeness, the newest first: an acceptance must name the offer that it comes nearest
    # to.
    for digest, entry in others:
        if trim_text(mark.text) in (trim_text(entry.text), trim_text(extract_offer(entry.text))):
            return Accept(issue.stem, digest, "", mark.line)
    for digest, entry in others:
        if is_summary_of(mark.text, extract_offer(entry.text)):
            return Accept(issue.stem, digest, mark.text, mark.line)
    for digest, entry in others:
        # Only a real offer can be agreed to by a text that merely has the same facts in it.
        if entry.offer and has_same_facts(mark.text, extract_offer(entry.text)):
            return Accept(issue.stem, digest, "", mark.line)
    return None


def add_finishing_accepts(state: State, who: str, edits: Edits, final: str) -> Edits:
    """These edits with what a finish by turn.md says beside them: seed 004 lets an agent write final.md of "every
    agreed decision" and finish, so it accepts each offer of another that its own document holds unaltered."""
    from graphbus_core.negotiation.document.text.faithfulness import FaithfulText, find_statement_faults

    final_text = FaithfulText(final)
    spoken = {item.issue for items in (edits.accepts, edits.marks) for item in items}
    acceptances = []
    for issue in state.issues.values():
        last = next(((d, e) for d, e in reversed(collect_offers(issue).items()) if e.offer), None)
        # What it decided by a mark or an acceptance of its own is not read out of its document as well.
        if not issue.is_open or issue.stem in spoken or last is None:
            continue
        digest, entry = last
        if entry.by == who or issue.accepted.get(who, ("", ""))[0] == digest:
            continue
        accepted_wordings = [text for other, text in issue.accepted.values() if other == digest and text]
        # A summary that somebody accepted may stand in the document in place of the offer's words.
        if any(final_text.contains_verbatim(text) for text in accepted_wordings) or not any(
            find_statement_faults(extract_offer(entry.text), final_text)
        ):
            acceptances.append(Accept(issue.stem, digest))
    return replace(edits, accepts=(*edits.accepts, *acceptances))


def explain_resolved_marks(state: State, who: str, turn: int, edits: Edits, marked: Edits) -> Iterator[tuple[str, str]]:
    """(issue, words of the moderator) for what of `marked`, in this turn of `who`, was not taken as it stood; `state`
    is that after the turn."""
    agreed_issues = {m.issue for m in marked.marks if m.status == Status.AGREED}
    for words in edits.words:
        if words.offer and words.issue in agreed_issues:
            issue = state.issues[words.issue]
            digest = next((d for d, e in collect_offers(issue).items() if e.by == who), "")
            yield words.issue, render_offer_note(who, digest, issue)
    for issue in state.issues.values():
        digest = issue.accepted.get(who, ("", ""))[0]
        entry = collect_offers(issue).get(digest) if issue.is_open and issue.accepted_turn.get(who) == turn else None
        if entry is not None:
            _, rest = split_acceptances(state, issue, entry, digest)
            waits = f"The Status stays OPEN until {', '.join(rest)} accepts it, too"
            note = f"{who} accepts the offer {digest} of {entry.by}. {waits}: in your turn, set AGREED with its words."
            yield issue.stem, note


def render_offer_note(who: str, digest: str, issue: Issue) -> str:
    """Why an AGREED did not stand, and what the others can do about it."""
    ends = " This is the last round: accept it, or set ESCALATE with a summary." if issue.last_offer_by else ""
    return (
        f"{who} set AGREED with a text that no other agent had written. An agreement has two sides: the text is now "
        f"{who}'s offer {digest}, and the Status is OPEN. Others accept it by setting AGREED with the same numbers, "
        f"names and conditions, each in a turn of its own; {who} hands off and waits.{ends}"
    )


def describe_edits(issue: Issue, name: str, edits: Edits) -> dict[str, Any]:
    """What words were taken as: an offer, the acceptance of one, or just what they are."""
    if edits.accepts:
        return {"as": "accept", "hash": edits.accepts[0].hash}
    if any(words.offer for words in edits.words):
        return {"as": "offer", "hash": next((d for d, e in collect_offers(issue).items() if e.by == name), "")}
    return {"as": edits.words[0].kind if edits.words else edits.marks[0].status}
