"""A build as a command makes it: one, in the foreground; what became of it, and what an earlier one left unfinished.

The modules that negotiate are loaded when they are needed: a plain build needs none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphbus_core.build.builder import BuildArtifacts, build_project
from graphbus_core.build.negotiate.seams import Hooks
from graphbus_core.config import BuildConfig

if TYPE_CHECKING:
    from graphbus_core.participants.llm.estimate import Estimate

Observe = Callable[[str, Mapping[str, Any]], None]


def build(config: BuildConfig) -> BuildArtifacts:
    """Scan, link and freeze, without a negotiation. Raises GraphBusError."""
    return build_project(config)


def negotiate(
    config: BuildConfig, observe: Observe, approver: Any = None, seats: Mapping[str, Any] | None = None
) -> BuildArtifacts:
    """A build whose agents negotiate first. `observe` hears the story; `approver` is asked before each commit; `seats`
    are agents whom somebody else speaks for. Raises GraphBusError, and KeyboardInterrupt, after which it can go on.
    """
    return build_project(config, Hooks(observe, approver, seats=seats or {}))


def load() -> None:
    """Import all that a negotiation needs: what Ctrl-C strikes in the middle of an import is in pieces afterwards."""
    import graphbus_core.build.negotiate.resuming
    import graphbus_core.build.orchestrator  # noqa: F401


@dataclass(frozen=True)
class CutOffBuild:
    """What a build left that was cut off: whether its negotiation had ended, who sat there, and the offer in words."""

    ended: bool
    people: tuple[str, ...]
    offer: str


def unfinished(output_dir: str | Path) -> CutOffBuild | None:
    """The negotiation that `--resume` would go on with. Raises LogDamaged."""
    from graphbus_core.build.negotiate import resuming

    # Ended too: a negotiation that was decided and not committed is still to be finished.
    left = resuming.left_over(output_dir)
    return None if left is None else CutOffBuild(left.kept.ended, left.people, resuming.unfinished(left.kept))


def unfinished_now(output_dir: str | Path) -> CutOffBuild | None:
    """The same, where nobody negotiates just now. Raises Locked: a negotiation under way is not unfinished."""
    from graphbus_core.files.build_lock import reading_lock

    with reading_lock(output_dir):
        return unfinished(output_dir)


def findings(artifacts: BuildArtifacts) -> list[str]:
    """What a build leaves to be looked at, in words; it ends with exit code 1 for those.

    What a negotiation left undone; and where the project says so, what a run of this build would refuse.
    """
    return [*_negotiated(artifacts), *_refused_at_run(artifacts)]


def _negotiated(artifacts: BuildArtifacts) -> list[str]:
    if not artifacts.negotiation:
        return []
    from graphbus_core.build.findings import findings

    return findings(artifacts)


def _refused_at_run(artifacts: BuildArtifacts) -> list[str]:
    """The policy's rules, and the providers where `[tool.graphbus]` names some."""
    from graphbus_core.settings import effective

    settings = effective(artifacts.root or ".")
    # A folder that is gone has no settings of its own; those of where the command runs hold.
    rules, provide = settings["policy.rules"], settings["provide"]
    if not rules and not provide:
        return []
    from graphbus_core.runtime.given.at_build import refused, unprovided
    from graphbus_core.runtime.given.policy import Policy

    found = [str(one) for one in refused(artifacts.agents, Policy(rules))]
    # Providers are looked at only where some are named: without any, a program makes its own objects and hands them
    # in.
    return found + [str(one) for one in unprovided(artifacts.agents, provide, settings.root) if provide]


def estimate(config: BuildConfig) -> tuple[Estimate, tuple[str, ...]]:
    """What the models of a build would cost, and what to know about that. Nobody is asked."""
    from graphbus_core.build.negotiate.estimate import estimate_build

    return estimate_build(config)


def undo(config: BuildConfig, proposal_id: str, **how: Any) -> tuple[dict[str, Any], list[str]]:
    """Take a committed proposal back: its receipt, and notes. Raises UsageError where there is no such proposal."""
    from graphbus_core.adopt.source import is_adoption, take_back
    from graphbus_core.build.commit import undo_proposal

    state = Path(config.output_dir)
    if is_adoption(state, proposal_id):  # nothing was negotiated there, so its gates have nothing to ask
        return take_back(state, proposal_id, prepare=bool(how.get("prepare"))), []
    return undo_proposal(config, proposal_id, **how)


def told(artifacts: BuildArtifacts) -> dict[str, Any] | None:
    """How the negotiation of a build ended, what became of each proposal, and where the whole story is."""
    from graphbus_core.negotiation.proposal.told.projection import decided_by
    from graphbus_core.stores.builds.negotiation_folder import NegotiationFolder

    outcome = artifacts.negotiation
    if not outcome:
        return None
    fates = [
        {
            "id": p.proposal_id,
            "proposer": p.proposer,
            "round": p.round,
            "type": p.type,
            # Parsed by programs: the keys stay, and a later edition may only add some.
            "summary": p.proposal.get("summary", ""),
            "outcome": p.outcome,
            "decided_by": decided_by(p),
            "why": p.why,
            "gate": p.failed_gate or None,
            "commit_id": None if artifacts.dry_run else p.commit_id or None,
            "files": list(p.files),
            "unified_diff": p.receipt.get("unified_diff", ""),
        }
        for p in outcome.proposals
    ]
    return {
        "ended": {"reason": outcome.reason, "why": outcome.why},
        "rounds": outcome.rounds,
        "log": str(NegotiationFolder(Path(artifacts.output_dir)).log_path(artifacts.build_id)),
        "proposals": fates,
        "unheard": list(outcome.unheard),
        "silent": list(outcome.silent),
        "questions": [_question(q) for q in outcome.questions],
        "left": [dict(one) for one in outcome.left],
    }


def _question(question: Mapping[str, Any]) -> dict[str, Any]:
    """A question of meaning, and what was answered; `choice` is null where it is open, "none" for none of them."""
    told = {k: question[k] for k in ("link", "field", "agent", "text", "choice", "by", "why")}
    candidates = [{"name": c["name"], "says": c["says"]} for c in question["candidates"]]
    return {**told, "candidates": candidates}


def of_data_files(artifacts: BuildArtifacts) -> str:
    """A sentence about the files that nodes read beside their modules, which no build holds."""
    from graphbus_core.build.data_files import sentence

    return sentence(artifacts.data_files)
