"""An agreement has two sides (design §9): who offered these words, and who accepted that very offer.

An offer is the latest offer of its author, known by its hash: the same words tabled in another turn are another offer
(trap 10), and what its author has replaced can no longer be accepted. A plain position takes nothing back: prose
decides nothing. It stands when every other seated agent that was not skipped since has accepted it, in a turn of its
own; at least one has (silence is never a yes). Pure.

It is accepted by its hash (`ACCEPTS <hash>` is the form of those who write files) or by `AGREED` with its very text.
Any other text, however alike, is its author's own offer: no comparison of meaning decides anything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from graphbus_core.negotiation.document.model import FINAL, Accept, Edits, Mark, Reason, Status, Words
from graphbus_core.negotiation.document.state import Issue, IssueEntry, State
from graphbus_core.negotiation.document.text.headings import trim_text
from graphbus_core.negotiation.document.text.same_text import find_accepted_hash, is_same_text, list_differences


@dataclass(frozen=True, slots=True)
class Agreement:
    """An offer that everybody accepted. `text` is the decision: the offer's words."""

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
    """The latest offer of each agent that made one by its hash, the newest last. A plain position is not one."""
    latest: dict[str, IssueEntry] = {}
    for entry in issue.entries:
        if entry.kind == "position" and entry.offer:
            # Taken out first, so that an offer that was replaced moves to the end: the newest is the last.
            latest.pop(entry.by, None)
            latest[entry.by] = entry
    return {compute_offer_hash(issue.stem, entry): entry for entry in latest.values()}


def find_newest_offer(issue: Issue, who: str) -> str:
    """The hash of the newest offer of another agent, "" where there is none."""
    return next((digest for digest, entry in reversed(collect_offers(issue).items()) if entry.by != who), "")


def split_acceptances(
    state: State, issue: Issue, entry: IssueEntry, digest: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who has accepted this offer, and who has still to: skipped since it was made, an agent is not waited for."""
    others = [name for name in state.agents if name != entry.by]
    yes = tuple(n for n in others if n in issue.accepted and issue.accepted[n][0] == digest)
    # Who was skipped since the offer is not waited for. Else one silent agent would block all the others.
    rest = tuple(n for n in others if n not in yes and issue.skips.get(n, 0) <= entry.turn)
    return yes, rest


def may_be_agreed(issue: Issue) -> bool:
    """Whether an acceptance still counts: on what is open, and on what was escalated and nobody has ruled on."""
    return issue.is_open or (issue.status is Status.ESCALATE and not issue.stands)


def find_agreement(state: State, issue: Issue) -> Agreement | None:
    """The agreement on this issue, if everybody's acceptances make one."""
    if not may_be_agreed(issue):
        return None
    for digest, entry in collect_offers(issue).items():
        yes, rest = split_acceptances(state, issue, entry, digest)
        # At least one yes: with everybody skipped an offer would agree with itself.
        if yes and not rest:
            return Agreement(digest, entry.by, entry.text, yes)
    return None


def is_last_round(state: State, issue: Issue, who: str) -> bool:
    """Whether this turn is the agent's last round on the issue; a reply to an offer in the last round is one, too."""
    return state.count_rounds(issue, who) + 1 >= state.settings.max_rounds or must_answer_last_offer(issue, who)


def must_answer_last_offer(issue: Issue, who: str) -> bool:
    """Whether all that is left to `who` is to accept another agent's last offer, or to escalate."""
    return bool(issue.last_offer_by) and issue.last_offer_by != who


def has_said(issue: Issue, who: str) -> bool:
    """Whether `who` need not speak on an open issue: it accepted an offer that still is one, or nobody has answered
    its own but by accepting it."""
    current_offers = collect_offers(issue)
    if who in issue.accepted and issue.accepted[who][0] in current_offers:
        return True
    own = next((digest for digest, entry in current_offers.items() if entry.by == who), "")
    agreeing = {name for name, (digest, _) in issue.accepted.items() if digest == own}
    last = next((e for e in reversed(issue.entries) if e.kind == "position" and e.by not in agreeing), None)
    # Its own offer is the last word, so the answer is somebody else's to give.
    return last is not None and last.by == who and own != ""


def find_accept_fault(state: State, who: str, accept: Accept, file: str) -> Reason | None:
    """Why this is not an acceptance. Codes: self, none, stale."""
    issue = state.issues[accept.issue]
    current_offers = collect_offers(issue)
    entry = current_offers.get(accept.hash)
    if entry is not None and entry.by != who:
        return None
    others = ", ".join(f"{digest} ({e.by})" for digest, e in current_offers.items() if e.by != who)
    todo = f"Accept one of {others}." if others else "Make an offer, or let another agent make one."
    if entry is not None:
        return Reason("You cannot agree with yourself: that is your own offer.", todo, file, accept.line, "self")
    if not others:
        what = f"No other agent has an offer on {issue.title!r}: a position is not an offer."
        return Reason(what, todo, file, accept.line, "none")
    what = f"There is no offer {accept.hash or '(none named)'} on {issue.title!r} any more."
    return Reason(what, todo, file, accept.line, "stale")


def resolve_marks(state: State, who: str, edits: Edits) -> Edits:
    """These edits with each AGREED, and each line `ACCEPTS <hash>`, read as what it is: an acceptance, or an offer of
    its author's."""
    new_words, accepts, marks = list[Words](), [*edits.accepts, *_find_written_acceptances(state, edits)], list[Mark]()
    for words in edits.words:
        # Whoever offers what another offers has accepted it; two who only ever did that would never agree.
        issue = state.issues.get(words.issue)
        repeated = _find_acceptance(who, issue, words.text, words.line) if words.offer and issue is not None else None
        if repeated is None:
            new_words.append(words)
        else:
            accepts.append(repeated)
    accepts = list({(accept.issue, accept.hash): accept for accept in reversed(accepts)}.values())[::-1]
    accepted = {accept.issue for accept in accepts}
    # On copies: the same edits are resolved for the verdict and for the fact, and must come out alike.
    for mark in edits.marks:
        issue = state.issues.get(mark.issue)
        # An issue that stands keeps its mark, so that the rules can refuse it with the right reason.
        if mark.status != Status.AGREED or issue is None or issue.stands:
            marks.append(mark)
            continue
        if mark.issue in accepted:
            continue  # by its hash, which is surer than any words beside it
        acceptance = _find_acceptance(who, issue, mark.text, mark.line)
        if acceptance is not None:
            accepts.append(acceptance)
            continue
        if any(e.by == who and is_same_text(mark.text, e.text) for e in collect_offers(issue).values()):
            continue  # its own offer, which stands: said again, it would be another, and nobody would have accepted it
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


def _find_written_acceptances(state: State, edits: Edits) -> Iterator[Accept]:
    """What is accepted by a line `ACCEPTS <hash>`: in an entry, below the Status line, or under no heading."""
    said = [(w.issue, w.text, w.line) for w in edits.words if w.kind == "position" and not w.offer]
    said += [(mark.issue, mark.text, mark.line) for mark in edits.marks if mark.status == Status.AGREED]
    said += [(remark.issue, remark.text, remark.line) for remark in edits.remarks]
    for stem, text, line in said:
        if digest := find_accepted_hash(text):
            # Where all is settled the hash may be the document's: there is one place to say it for who writes files.
            yield Accept(FINAL if digest == state.draft_hash else stem, digest, "", line)


def _find_acceptance(who: str, issue: Issue, text: str, line: int) -> Accept | None:
    """The acceptance that this text is, if it is one: of the newest offer that it repeats."""
    for digest, entry in reversed(collect_offers(issue).items()):
        if may_be_agreed(issue) and entry.by != who and is_same_text(text, entry.text):
            return Accept(issue.stem, digest, "", line)
    return None


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
            note = f"{who} accepts the offer {digest} of {entry.by}. {waits}: in your turn, write `ACCEPTS {digest}`."
            yield issue.stem, note


def render_offer_note(who: str, digest: str, issue: Issue) -> str:
    """Why an AGREED did not stand: the lines that differ, and the one line with which either side accepts."""
    offers = collect_offers(issue)
    ends = " This is the last round: accept it, or set ESCALATE with a summary." if issue.last_offer_by else ""
    note = (
        f"{who} set AGREED with a text that is no other agent's offer. An agreement has two sides: the text is now "
        f"{who}'s offer {digest}, and the Status is OPEN. Others accept it in a turn of their own with the one line "
        f"`ACCEPTS {digest}`, or by setting AGREED with the same text; {who} hands off and waits.{ends}"
    )
    other = next((d for d, e in reversed(offers.items()) if e.by != who), "")
    if not other or digest not in offers:
        return note
    lines = "\n".join(f"    {line}" for line in list_differences(offers[other].text, offers[digest].text))
    asked = f"It differs from the offer {other} of {offers[other].by} (-) in these lines; to accept that one instead, "
    return f"{note}\n\n{asked}{who} writes `ACCEPTS {other}`.\n\n{lines}"


def describe_edits(issue: Issue, name: str, edits: Edits) -> dict[str, Any]:
    """What words were taken as: an offer, the acceptance of one, or just what they are."""
    if edits.accepts:
        return {"as": "accept", "hash": edits.accepts[0].hash}
    if any(words.offer for words in edits.words) or not (edits.words or edits.marks):
        # Nothing new either: whoever sets AGREED with the text of its own offer has offered it before.
        return {"as": "offer", "hash": next((d for d, e in collect_offers(issue).items() if e.by == name), "")}
    return {"as": edits.words[0].kind if edits.words else edits.marks[0].status}
