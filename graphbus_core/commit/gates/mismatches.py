"""Mismatches: no link fits worse than before; a payload proves where one does."""

from __future__ import annotations

from collections.abc import Sequence

from graphbus_core.analysis.links import LinkResult, find_link_contracts
from graphbus_core.commit.gates.trial import Gate, GateAnswer, Trial, report_not_run, report_proved, report_refused
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.negotiation.proposal.link_faults import (
    FaultChanges,
    LinkFault,
    Renames,
    collect_renames,
    compare_faults,
    rename_ends,
)


def ask(trial: Trial) -> GateAnswer:
    """Hold every link against how it fitted before. What the user allows in an undo is reported and lets through."""
    worse = compare_links(trial).worse
    if not worse:
        return report_proved()
    why = str(worse[0])
    return report_not_run(f"--allow-mismatches: {why}") if trial.allow_mismatches else report_refused(why)


GATE = Gate("mismatches", ask)
UNDO_GATE = Gate("mismatches", ask, required=lambda trial: not trial.allow_mismatches)


def compare_links(trial: Trial) -> FaultChanges:
    """The links that the change breaks, those that it mends, and those that it leaves. Raises ScanError."""
    renames = collect_renames(trial.diff)
    before = collect_faults(trial.project.everyone, trial.stood)
    after = collect_faults(trial.after.everyone, trial.links_after) | _find_cut_links(trial, renames)
    return compare_faults(before, after, renames)


def _find_cut_links(trial: Trial, renames: Renames) -> dict[str, LinkFault]:
    """The links whose consumer still names a producer that is gone."""
    stood = {(d.where, d.name) for d in trial.stood.dangling}
    cut = {(d.where, d.name) for d in trial.links_after.dangling if d.is_method} - stood
    links = [rename_ends(link, renames) for link in trial.stood.links] if cut else []
    return {
        link.id: LinkFault(link, False, (f"{link.producer} is gone",))
        for link in links
        if (str(link.consumer), str(link.producer)) in cut
    }


def collect_faults(agents: Sequence[AgentDefinition], linked: LinkResult) -> dict[str, LinkFault]:
    """Every link that does not fit, with the contracts that meet on it."""
    by_name = {agent.name: agent for agent in agents}
    return {
        mismatch.link.id: LinkFault.from_mismatch(
            mismatch,
            (
                (sent.json_schema, taken.json_schema)
                for sent, taken in find_link_contracts(mismatch.link, by_name)
                if sent is not None and taken is not None
            ),
        )
        for mismatch in linked.mismatches
    }
