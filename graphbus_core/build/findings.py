"""What a negotiated build leaves to be looked at, in sentences; with one, `graphbus build` exits 1 (design §12).

A plain build freezes what is there and finds nothing: whether it fits is what `graphbus validate` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from graphbus_core.build.builder import BuildArtifacts
from graphbus_core.build.commit.git import FAILED
from graphbus_core.model.graph import Mismatch
from graphbus_core.negotiation.proposal.said.ending import NegotiationOutcome, ProposalFate
from graphbus_core.negotiation.proposal.vocabulary import ProposalOutcome
from graphbus_core.shown import counted

SHOWN = 3


def findings(artifacts: BuildArtifacts) -> list[str]:
    """A link that does not fit at the end, a commit that a gate refused, nothing agreed though it was negotiated."""
    outcome = artifacts.negotiation
    if not isinstance(outcome, NegotiationOutcome):
        return []
    linked = artifacts.linked
    found: list[str] = []
    mismatches = outcome.mismatches if artifacts.dry_run or linked is None else linked.mismatches
    if mismatches:
        found.append(f"{counted(len(mismatches), 'link')} {'does' if len(mismatches) == 1 else 'do'} not fit")
    if open_ := [q for q in outcome.questions if q["choice"] is None and _is_open(q, mismatches)]:
        told = "; ".join(str(q["text"]) for q in open_[:SHOWN])
        more = f"; and {len(open_) - SHOWN} more" if len(open_) > SHOWN else ""
        found.append(
            f"{counted(len(open_), 'question')} of meaning {'is' if len(open_) == 1 else 'are'} open: {told}{more}"
        )
    if failed := outcome.with_outcome(ProposalOutcome.COMMIT_FAILED):
        found.append(f"{counted(len(failed), 'agreed proposal')} did not pass the gates ({_few(failed)})")
    for fate in outcome.proposals:
        found += [f"{fate.proposal_id} is written, and {n}" for n in fate.receipt.get("notes", ()) if FAILED in str(n)]
    if not outcome.commits and (outcome.proposals or outcome.silent):
        who = f": {', '.join(outcome.silent[:SHOWN])} gave no usable answer" if outcome.silent else ""
        found.append(f"nothing that was negotiated came to a commit{who}")
    return found


def _is_open(question: Mapping[str, Any], mismatches: Iterable[Mismatch]) -> bool:
    return any(question["link"] == m.link.id for m in mismatches)


def _few(failed: tuple[ProposalFate, ...]) -> str:
    more = f" and {len(failed) - SHOWN} more" if len(failed) > SHOWN else ""
    return ", ".join(f"{p.proposal_id}: {p.failed_gate}" for p in failed[:SHOWN]) + more
