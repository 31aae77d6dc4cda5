"""Consent negotiations as a library: prepare (everything that can be wrong is found here), run, resume, read, verify.

    prepared = prepare("scenario.yaml")                    # or a game's folder, an XML domain, a prompt
    finished = run(prepared)
    finished.outcome.status, finished.agreement, finished.record

The front ends call this; the rules are `negotiation.consent`, who answers is `participants`.
"""

from graphbus_core.consent.prepared import Prepared, Request, prepare
from graphbus_core.consent.resuming import finished_of, folded, resume
from graphbus_core.consent.running import Finished, Observe, run, run_async, settle, status_of, written

__all__ = [
    "Finished",
    "Observe",
    "Prepared",
    "Request",
    "finished_of",
    "folded",
    "prepare",
    "resume",
    "run",
    "run_async",
    "settle",
    "status_of",
    "written",
]
