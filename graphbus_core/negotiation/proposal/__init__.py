"""The proposal negotiation: agents agree on contracts and code, proposal by proposal (seed 000)."""

from graphbus_core.negotiation.proposal.machine.outcome import NodeMemory
from graphbus_core.negotiation.proposal.machine.rules import ProposalProtocol
from graphbus_core.negotiation.proposal.machine.state import ProposalQueue, State
from graphbus_core.negotiation.proposal.said.config import ProposalConfig
from graphbus_core.negotiation.proposal.said.ending import NegotiationOutcome, ProposalFate
from graphbus_core.negotiation.proposal.said.events import EVENTS
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
from graphbus_core.negotiation.proposal.weighed.conflicts import ArbiterRouter
from graphbus_core.negotiation.proposal.weighed.digests import symbol_digest, symbol_digests
from graphbus_core.negotiation.proposal.weighed.effects import Inapplicable, effects
from graphbus_core.negotiation.proposal.weighed.ground import Ground
from graphbus_core.negotiation.proposal.weighed.tally import EvaluationCollector

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
