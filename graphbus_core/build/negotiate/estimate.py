"""What a build with agents would cost, before its first call: the questions of its first round, and their prompts."""

from __future__ import annotations

import os
from collections.abc import Mapping

from graphbus_core.build.link import link_project
from graphbus_core.build.negotiate.seats import seat
from graphbus_core.build.negotiate.surroundings import of_project
from graphbus_core.build.scan import scan
from graphbus_core.config import BuildConfig, LLMConfig
from graphbus_core.negotiation.core import Ask, Session
from graphbus_core.negotiation.proposal import ProposalConfig, ProposalProtocol
from graphbus_core.participants.llm import Estimate, as_with_keys, estimate
from graphbus_core.stores.memory import MemoryLog


def estimate_build(config: BuildConfig, environ: Mapping[str, str] | None = None) -> tuple[Estimate, tuple[str, ...]]:
    """The plan, and sentences for the user (who was seated and why). Nobody is asked, and nothing is written.

    Raises ScanError, and UsageError where a model was named that cannot be seated.
    """
    project = scan(config.root_package, config.include_modules, config.exclude_modules).within(config.whole_project)
    linked = link_project(project)
    start = ProposalConfig(
        agents=project.everyone,
        links=tuple(linked.links),
        mismatches=tuple(linked.mismatches),
        safety=config.safety_config,
        intent=config.intent,
        goals=tuple(config.refactoring_goals or ()),
        files=dict(project.files),
        around=of_project(project),
    )
    environ = as_with_keys(config.llm_config or LLMConfig(), os.environ if environ is None else environ)
    seats = seat(project, config, environ=environ)
    if seats.voices is not None:
        seats.voices.close()
    session = Session(ProposalProtocol(), start, MemoryLog())
    session.advance()
    asks = [want for want in session.pending() if isinstance(want, Ask)]
    plan = estimate(seats.participants, asks, config.safety_config.max_negotiation_rounds, start.arbiters)
    notes = (*seats.notes, *(seats.table.notes() if seats.table else ()))
    return plan, notes
