"""The proposal negotiation: agents agree on contracts and code, proposal by proposal (seed 000)."""

from graphbus_core.negotiation.proposal.config import ProposalConfig
from graphbus_core.negotiation.proposal.conflicts import ArbiterRouter
from graphbus_core.negotiation.proposal.digests import symbol_digest, symbol_digests
from graphbus_core.negotiation.proposal.effects import Inapplicable, effects
from graphbus_core.negotiation.proposal.events import EVENTS
from graphbus_core.negotiation.proposal.ground import Ground
from graphbus_core.negotiation.proposal.outcome import NegotiationOutcome, NodeMemory, ProposalFate
from graphbus_core.negotiation.proposal.rules import ProposalProtocol
from graphbus_core.negotiation.proposal.state import ProposalQueue, State
from graphbus_core.negotiation.proposal.tally import EvaluationCollector
from graphbus_core.negotiation.proposal.vocabulary import (
    ArbiterDecision,
    CommitRecord,
    Decision,
    Proposal,
    ProposalEvaluation,
    ProposalOutcome,
    ProposalType,
    Ruling,
    SchemaChange,
)

__all__ = [
    "EVENTS",
    "ArbiterDecision",
    "ArbiterRouter",
    "CommitRecord",
    "Decision",
    "EvaluationCollector",
    "Ground",
    "Inapplicable",
    "NegotiationOutcome",
    "NodeMemory",
    "Proposal",
    "ProposalConfig",
    "ProposalEvaluation",
    "ProposalFate",
    "ProposalOutcome",
    "ProposalProtocol",
    "ProposalQueue",
    "ProposalType",
    "Ruling",
    "SchemaChange",
    "State",
    "effects",
    "symbol_digest",
    "symbol_digests",
]
