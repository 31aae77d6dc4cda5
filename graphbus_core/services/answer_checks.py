"""The negotiations' own judges of an answer, by name: whoever takes one at a desk or over a wire asks these first."""

from __future__ import annotations

from graphbus_core.negotiation.core import Ask, Json


def check_answer(protocol: str, ask: Ask, body: Json) -> str | None:
    """Why a body is not an answer to what a negotiation (`build`, `consent`, `document`) asks; None if it is one."""
    # Each loaded when an answer comes: a client that only waits needs none of the three.
    match protocol:
        case "build":
            from graphbus_core.negotiation.proposal.protocol import ProposalProtocol

            return ProposalProtocol().check(ask, body)
        case "consent":
            from graphbus_core.negotiation.consent.protocol import ConsentProtocol

            return ConsentProtocol().check(ask, body)
        case "document":
            from graphbus_core.negotiation.document.protocol import DocumentProtocol

            return DocumentProtocol().check(ask, body)
    raise KeyError(protocol)
