"""Consent negotiations as a library: prepare (everything that can be wrong is found here), run, resume, read, verify.

    prepared = prepare("scenario.yaml")                    # or a game's folder, an XML domain, a prompt
    finished = run(prepared)
    finished.outcome.status, finished.agreement, finished.record

The front ends call this; the rules are `negotiation.consent`, who answers is `participants`.
"""

from graphbus_core.sessions.consent.preparation import PreparedNegotiation, Request, prepare
from graphbus_core.sessions.consent.runner import (
    FinishedNegotiation,
    Observe,
    conclude_negotiation,
    load_finished_negotiation,
    render_output_document,
    render_status,
    replay_run,
    resume,
    run,
    run_async,
)

__all__ = [
    "FinishedNegotiation",
    "Observe",
    "PreparedNegotiation",
    "Request",
    "conclude_negotiation",
    "load_finished_negotiation",
    "prepare",
    "render_output_document",
    "render_status",
    "replay_run",
    "resume",
    "run",
    "run_async",
]
