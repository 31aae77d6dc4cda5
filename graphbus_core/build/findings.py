"""What a negotiated build leaves to be looked at, in sentences; with one, `graphbus build` exits 1 (design §12).

A plain build freezes what is there and finds nothing: whether it fits is what `graphbus validate` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from graphbus_core.build.builder import BuildArtifacts
from graphbus_core.build.commit.git import FAILED
from graphbus_core.model.graph import Mismatch
from graphbus_core.negotiation.proposal.said.ending import NegotiationOutcome
from graphbus_core.negotiation.proposal.vocabulary import ProposalOutcome
from graphbus_core.shown import counted, few

SHOWN = 3


def findings(artifacts: BuildArtifacts) -> list[str]:
    """A link that does not fit at the end, a commit that a gate refused, nothing agreed though it was negotiated."""
    outcome = artifacts.negotiation
    if not isinstance(outcome, NegotiationOutcome):
        return []
    linked = artifacts.linked
    mismatches = outcome.mismatches if artifacts.dry_run or linked is None else linked.mismatches
    return [*_not_fitting(mismatches), *_open(outcome.questions, mismatches), *_not_committed(outcome)]


def _not_fitting(mismatches: Sequence[Mismatch]) -> Iterator[str]:
    if mismatches:
        yield f"{counted(len(mismatches), 'link')} {'does' if len(mismatches) == 1 else 'do'} not fit"


def _open(questions: Iterable[Mapping[str, Any]], mismatches: Sequence[Mismatch]) -> Iterator[str]:
    """What only the meaning tells: a question that nobody answered, about a link that does not fit yet."""
    links = {m.link.id for m in mismatches}
    if found := [q for q in questions if q["choice"] is None and q["link"] in links]:
        told = few([q["text"] for q in found], SHOWN, "; ")
        yield f"{counted(len(found), 'question')} of meaning {'is' if len(found) == 1 else 'are'} open: {told}"


def _not_committed(outcome: NegotiationOutcome) -> Iterator[str]:
    if failed := outcome.with_outcome(ProposalOutcome.COMMIT_FAILED):
        told = few([f"{p.proposal_id}: {p.failed_gate}" for p in failed], SHOWN)
        yield f"{counted(len(failed), 'agreed proposal')} did not pass the gates ({told})"
    for fate in outcome.proposals:
        yield from (
            f"{fate.proposal_id} is written, and {n}" for n in fate.receipt.get("notes", ()) if FAILED in str(n)
        )
    if not outcome.commits and (outcome.proposals or outcome.silent):
        who = f": {', '.join(outcome.silent[:SHOWN])} gave no usable answer" if outcome.silent else ""
        yield f"nothing that was negotiated came to a commit{who}"
