"""The final document with the table of fates is accepted by every seat, by its hash (design §9). Pure.

The hash is of the text, of the fate of every statement beside it, and of all decisions: with any change of these it is
another, and what was accepted is accepted no more. Whoever writes a document accepts it so. It stands when every other
seated agent that was not skipped since has accepted it; at least one has.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from graphbus_core.negotiation.document.fates import Fates, judge_fates, render_fates
from graphbus_core.negotiation.document.final_document import find_altered_decisions
from graphbus_core.negotiation.document.model import FINAL, Accept, Reason
from graphbus_core.negotiation.document.state import State
from graphbus_core.negotiation.document.text.headings import trim_text

SHOWN = 20  # statements that a document leaves out, of those that are named; all of them stand in fates.md


def compute_final_hash(state: State, final: str, fates: Fates | None = None) -> str:
    """What an acceptance of this text names, as the table stands now."""
    table = render_fates(fates or judge_fates(state, final))
    decisions = (f"{stem} {issue.status}\n{issue.decision}" for stem, issue in state.issues.items())
    basis = "\0".join((trim_text(final), table, *decisions))
    return hashlib.blake2b(basis.encode(errors="replace"), digest_size=4).hexdigest()


def compute_lying_hash(state: State, final: str) -> str:
    """What an acceptance of the document that lies there names."""
    return state.draft_hash if is_drafted(state, final) else compute_final_hash(state, final)


def is_drafted(state: State, final: str) -> bool:
    """Whether this text is the one that lies on the table."""
    return bool(state.draft_hash) and trim_text(final) == trim_text(state.draft)


def list_unsigned(state: State) -> tuple[str, ...]:
    """Whose acceptance is missing; in a log of before these were signed one word is enough."""
    if not state.settings.signed:
        return () if state.signed else tuple(state.agents)
    begun = min(state.signed.values(), default=state.turn)
    # Who was skipped since the first acceptance is not waited for. Else one silent agent would block all the others.
    return tuple(n for n in state.agents if n not in state.signed and state.skips.get(n, 0) <= begun)


def is_signed(state: State) -> bool:
    """Whether the document stands. One acceptance alone is never enough, and silence does not count."""
    enough = 2 if state.settings.signed else 1
    return bool(state.draft_hash) and len(state.signed) >= enough and not list_unsigned(state)


def is_last_acceptance(state: State, who: str, digest: str) -> bool:
    """Whether the negotiation ends when `who` accepts the document of this hash."""
    signed = {**state.signed, who: state.turn} if digest == state.draft_hash else {who: state.turn}
    return is_signed(_replace_signatures(state, signed, digest))


def _replace_signatures(state: State, signed: dict[str, int], digest: str) -> State:
    after = state.clone()
    after.signed, after.draft_hash = signed, digest
    return after


def find_signing_fault(state: State, accept: Accept) -> Reason | None:
    """Why this does not accept the document; None where it does."""
    if not state.are_all_settled() or not state.draft_hash:
        still_open = [stem for stem, issue in state.issues.items() if not issue.is_settled]
        named = f" ({', '.join(still_open[:5])})" if still_open else ""
        what = f"There is no final document to accept yet: {len(still_open)} issues are open{named}."
        return Reason(what, "Settle every issue first.", FINAL, accept.line, "early")
    return None if accept.hash == state.draft_hash else build_stale_reason(accept.hash, state.draft_hash, accept.line)


def build_stale_reason(given: str, lying: str, line: int) -> Reason:
    """What was accepted by this hash is not what lies there."""
    what = f"{FINAL} with {given or 'no hash'} is not what lies there: its hash is {lying} now."
    return Reason(what, f"Read it, then accept {FINAL} with {lying}.", FINAL, line, "stale")


def describe_signing(state: State, who: str, final: str, digest: str) -> Iterator[str]:
    """What `who` has to know before it accepts this text."""
    fates = judge_fates(state, final)
    counts = ", ".join(f"{n} {kind}" for kind, n in fates.count_all() if n)
    by = ", ".join(name for name in state.signed if digest == state.draft_hash and name != who)
    accepted = f"accepted by {by}" if by else "nobody has accepted it"
    yield f"Everything is settled. {FINAL} lies there with fates.md ({counts}); {accepted}."
    if left_out := fates.left_out:
        yield f"It leaves out {len(left_out)} statements that nobody decided; who accepts it drops them:"
        yield from (f"  {fate.statement.place}: {fate.statement.text}" for fate in left_out[:SHOWN])
        if len(left_out) > SHOWN:
            yield f"  and {len(left_out) - SHOWN} more: see fates.md"
    if altered := find_altered_decisions(state.issues.values(), final):
        yield f"Not word for word in it: the decision on {', '.join(map(repr, altered))}."


def describe_final(state: State, final: str) -> dict[str, Any] | None:
    """The document that is to be accepted, or was, with the fate of every statement, as plain data."""
    if not state.draft_hash:
        return None
    fates = judge_fates(state, final)
    digest = compute_lying_hash(state, final)
    accepted = list(state.signed) if digest == state.draft_hash else []
    return {
        "hash": digest,
        "accepted": accepted,
        "missing": list(list_unsigned(state)) if accepted else list(state.agents),
        "altered": find_altered_decisions(state.issues.values(), final),
        "fates": [
            {
                "place": fate.statement.place,
                "fate": str(fate.kind),
                "by": fate.issue,
                "against": [place for place, _ in fate.others],
                "text": fate.statement.text,
            }
            for fate in fates.rows
        ],
    }


def explain_waiting(state: State) -> str:
    """Who has accepted the document, and whose acceptance is missing."""
    waiting = ", ".join(name for name in state.agents if name not in state.signed)
    return f"{FINAL} {state.draft_hash} is accepted by {', '.join(state.signed)}; it waits for {waiting}."
