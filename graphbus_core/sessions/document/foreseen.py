"""The document that a turn would make: read before the turn is taken, and accepted with it by its hash.

Where the last open points are settled by one acceptance, nothing is left but to accept the text. Whoever has read it
need not come back for that. The hash is the one that the text has once it lies there, so another text is not accepted.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphbus_core.negotiation.document import agreement, rules, signing
from graphbus_core.negotiation.document.fates import FateKind, judge_fates
from graphbus_core.negotiation.document.final_document import compose_document
from graphbus_core.negotiation.document.model import FINAL, Accept, Edits, Reason
from graphbus_core.negotiation.document.state import State
from graphbus_core.sessions.document import render
from graphbus_core.sessions.document.folder import Folder


@dataclass(frozen=True, slots=True)
class ForeseenDocument:
    """What would lie there after a turn, and what an acceptance of it names. `left_out`: the statements of the sources
    that it leaves out although nobody decided that; `undecided`: how many it has side by side."""

    text: str
    hash: str
    left_out: tuple[str, ...]
    undecided: int


def foresee_acceptance(directory: Folder, state: State) -> ForeseenDocument | None:
    """The document that comes of it when the holder accepts, on each open point, the only words that others offer.
    None where that does not settle everything, or where a point has several."""
    open_issues = [issue for issue in state.issues.values() if not issue.is_settled]
    accepts: list[Accept] = []
    for issue in open_issues:
        offers = [
            (digest, entry.text.strip())
            for digest, entry in agreement.collect_offers(issue).items()
            if entry.by != state.holder
        ]
        if len({text for _, text in offers}) != 1:
            return None
        accepts.append(Accept(issue.stem, offers[-1][0]))
    if not accepts or not state.holder:
        return None
    return foresee(directory, rules.simulate_agreements(rules.simulate_turn(state, Edits(accepts=tuple(accepts)))))


def foresee(directory: Folder, after: State) -> ForeseenDocument | None:
    """The document of a turn that leaves the state `after` it; None where that does not settle everything."""
    if after.settings.rigorous or not after.are_all_settled() or any(after.find_awaiting_judge()):
        return None
    text = render.read_own_document(directory) or compose_document(after, judge_fates(after))
    fates = judge_fates(after, text)
    digest = signing.compute_final_hash(after, text, fates)
    left_out = tuple(fate.statement.text for fate in fates.left_out)
    return ForeseenDocument(text, digest, left_out, fates.count(FateKind.CONFLICT))


def check_foreseen(directory: Folder, after: State, digest: str) -> tuple[Reason, ...]:
    """Why a turn does not accept the document that it makes by this hash."""
    foreseen = foresee(directory, after)
    if foreseen is None:
        return (Reason("There is no final document to accept yet.", "Settle every issue first.", FINAL, code="early"),)
    return () if foreseen.hash == digest else (signing.build_stale_reason(digest, foreseen.hash, 0),)
