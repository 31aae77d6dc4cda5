"""The facts of the last phase: what is agreed on its way to the files, and how it falls there."""

from __future__ import annotations

from dataclasses import dataclass

from graphbus_core.negotiation.core.protocol import Event
from graphbus_core.negotiation.proposal.said.private import Data, Private


@dataclass(frozen=True, slots=True)
class CommitsOpened(Event):
    """The agreed proposals go through the gates, one after the other."""

    round: int
    proposals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommitPrepared(Private):
    """The gates passed in a scratch copy; a person decides."""

    round: int
    proposal_id: str
    receipt: Data


@dataclass(frozen=True, slots=True)
class CommitApproved(Private):
    """A person approved a commit."""

    round: int
    proposal_id: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProposalWithdrawn(Private):
    """A person did not approve the commit, or said nothing."""

    round: int
    proposal_id: str
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class ProposalCommitted(Private):
    """The change is in the files. The receipt carries their hashes and the agents as they are now."""

    round: int
    proposal_id: str
    commit_id: str
    consensus: str
    schema_changes: tuple[Data, ...]
    receipt: Data


@dataclass(frozen=True, slots=True)
class CommitFailed(Private):
    """A gate refused the commit; the files are as before (seed 000, `commit_failed`).

    `passed`: the gates before it. `ends`: how each gate ended that was asked, and why. Empty in older logs."""

    round: int
    proposal_id: str
    gate: str
    why: str
    passed: tuple[str, ...] = ()
    ends: tuple[Data, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposalHeardAgain(Private):
    """It lost a conflict, and the winner fell on its way to the files: it is agreed again, as it was before."""

    round: int
    proposal_id: str
    why: str


@dataclass(frozen=True, slots=True)
class ProposalSuperseded(Private):
    """The ground moved under a proposal: it goes back to its proposer (design §6.5)."""

    round: int
    proposal_id: str
    why: str
