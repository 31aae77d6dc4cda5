"""The proposal negotiation: agents agree on contracts and code, proposal by proposal (seed 000)."""

from graphbus_core.negotiation.proposal.config import ProposalConfig
from graphbus_core.negotiation.proposal.effects import Inapplicable, compute_effects
from graphbus_core.negotiation.proposal.evaluation import ArbiterRouter, EvaluationCollector
from graphbus_core.negotiation.proposal.events import EVENTS
from graphbus_core.negotiation.proposal.project_view import ProjectView, compute_symbol_digest, compute_symbol_digests
from graphbus_core.negotiation.proposal.protocol import ProposalProtocol
from graphbus_core.negotiation.proposal.state import NodeMemory, ProposalQueue, State
from graphbus_core.negotiation.proposal.vocabulary import (
    ArbiterDecision,
    CommitRecord,
    Decision,
    NegotiationOutcome,
    Proposal,
    ProposalEvaluation,
    ProposalFate,
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
    "Inapplicable",
    "NegotiationOutcome",
    "NodeMemory",
    "ProjectView",
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
    "compute_effects",
    "compute_symbol_digest",
    "compute_symbol_digests",
]
