"""Types: the type checker finds nothing new anywhere in the project, contracts written as types.

Undefined names, missing returns, wrong keywords at a caller and wrong keys fall here, in files outside of the agents'
folder too. What was found before the change may stay; a comment that silences the checker may not come.
"""

from __future__ import annotations

from graphbus_core.analysis import ProjectAnalysis
from graphbus_core.analysis.type_checker.contract_types import restore_names
from graphbus_core.analysis.type_checker.port import Diagnostic, EngineFailed, find_added_ignores, find_new_findings
from graphbus_core.commit.gates.trial import (
    Gate,
    GateAnswer,
    GateStatus,
    Trial,
    report_not_run,
    report_proved,
    report_refused,
)
from graphbus_core.model.operation import RenameField
from graphbus_core.text import join_few

SHOWN = 3
MISSING = "no type checker is installed; pip install 'graphbus-core[types]'"


def ask(trial: Trial) -> GateAnswer:
    """Compare what is found before and after, by file and text."""
    if silenced := find_added_ignores(trial.applied.before, trial.applied.after):
        return report_refused(f"it adds a comment that silences the type checker: {', '.join(silenced[:SHOWN])}.")
    root, whole = trial.project.root, trial.project.whole
    try:
        with (
            ProjectAnalysis.from_folder(root, trial.project.agents, root=whole) as before,
            ProjectAnalysis.from_folder(root, trial.after.agents, root=whole, over=trial.applied.after) as after,
        ):
            findings = before.compare_types(after)
    except EngineFailed as e:
        return report_not_run(str(e))
    if findings is None:
        return report_not_run(MISSING)
    renamed = {op.field: op.to for op in trial.diff if isinstance(op, RenameField)}
    new = find_new_findings(*findings, renamed)
    return report_refused(restore_names(_describe_findings(new), trial.after.agents)) if new else report_proved()


def ask_undoing(trial: Trial) -> GateAnswer:
    """The same, and it refuses nothing: what stood there before may stand there again."""
    answer = ask(trial)
    return report_not_run(answer[1]) if answer[0] is GateStatus.REFUSED else answer


def _describe_findings(new: tuple[Diagnostic, ...]) -> str:
    return f"the type checker finds what was not there before: {join_few(new, SHOWN, '; ')}."


def _is_required(trial: Trial) -> bool:
    """Where a checker is installed. Without one, receivers that nobody can tell are refused as ever."""
    from graphbus_core.analysis.type_checker import is_installed

    return is_installed()


GATE = Gate("types", ask, required=_is_required)
UNDO_GATE = Gate("types", ask_undoing, required=lambda trial: False)
