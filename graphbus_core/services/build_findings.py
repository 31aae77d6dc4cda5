"""What a negotiated build leaves to be looked at, in sentences; with one, `graphbus build` exits 1 (design §12).

A plain build freezes what is there and finds nothing: whether it fits is what `graphbus validate` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from graphbus_core.build.builder import BuildArtifacts
from graphbus_core.commit.git import FAILED
from graphbus_core.model.graph import Mismatch
from graphbus_core.negotiation.proposal.vocabulary import NegotiationOutcome, ProposalOutcome
from graphbus_core.text import format_count, join_few

SHOWN = 3


def list_build_findings(artifacts: BuildArtifacts) -> list[str]:
    """A link that does not fit at the end, a commit that a gate refused, nothing agreed though it was negotiated."""
    outcome = artifacts.negotiation
    if not isinstance(outcome, NegotiationOutcome):
        return []
    linked = artifacts.linked
    mismatches = outcome.mismatches if artifacts.dry_run or linked is None else linked.mismatches
    return [
        *filter(None, [describe_unfit(mismatches)]),
        *_describe_open_questions(outcome.questions, mismatches),
        *_describe_uncommitted(outcome),
    ]


def describe_unfit(mismatches: Sequence[Mismatch]) -> str:
    """How many links do not fit, and of how many that could not be decided; empty where there is none."""
    undecided = sum(mismatch.compatible is None for mismatch in mismatches)
    counts = (
        (len(mismatches) - undecided, "does not fit", "do not fit"),
        (undecided, "is undecided", "are undecided"),
    )
    return ", ".join(f"{format_count(n, 'link')} {one if n == 1 else more}" for n, one, more in counts if n)


def _describe_open_questions(questions: Iterable[Mapping[str, Any]], mismatches: Sequence[Mismatch]) -> Iterator[str]:
    """What only the meaning tells: a question that nobody answered, about a link that does not fit yet."""
    links = {m.link.id for m in mismatches}
    if open_questions := [q for q in questions if q["choice"] is None and q["link"] in links]:
        question_texts = join_few([q["text"] for q in open_questions], SHOWN, "; ")
        yield (
            f"{format_count(len(open_questions), 'question')} of meaning "
            f"{'is' if len(open_questions) == 1 else 'are'} open: {question_texts}"
        )


def _describe_uncommitted(outcome: NegotiationOutcome) -> Iterator[str]:
    if failed := outcome.select_by_outcome(ProposalOutcome.COMMIT_FAILED):
        failed_gates = join_few([f"{p.proposal_id}: {p.failed_gate}" for p in failed], SHOWN)
        yield f"{format_count(len(failed), 'agreed proposal')} did not pass the gates ({failed_gates})"
    for fate in outcome.proposals:
        yield from (
            f"{fate.proposal_id} is written, and {n}" for n in fate.receipt.get("notes", ()) if FAILED in str(n)
        )
    if not outcome.commits and (outcome.proposals or outcome.silent):
        who = f": {', '.join(outcome.silent[:SHOWN])} gave no usable answer" if outcome.silent else ""
        yield f"nothing that was negotiated came to a commit{who}"
