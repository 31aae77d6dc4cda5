"""Types: the type checker finds nothing new anywhere in the project, contracts written as types.

Undefined names, missing returns, wrong keywords at a caller and wrong keys fall here, in files outside of the agents'
folder too. What was found before the change may stay; a comment that silences the checker may not come.
"""

from __future__ import annotations

from graphbus_core.build.commit.proof.gate_ends import GateStatus, Said, not_run, proved, refused
from graphbus_core.build.commit.proof.trial import Gate, Trial
from graphbus_core.build.understand import Project
from graphbus_core.build.understand.engine.port import Diagnostic, EngineFailed, added_ignores, new_findings
from graphbus_core.model.operation import RenameField
from graphbus_core.shown import few

SHOWN = 3
MISSING = "no type checker is installed; pip install 'graphbus-core[types]'"


def ask(trial: Trial) -> Said:
    """Compare what is found before and after, by file and text."""
    if silenced := added_ignores(trial.applied.before, trial.applied.after):
        return refused(f"it adds a comment that silences the type checker: {', '.join(silenced[:SHOWN])}.")
    root, whole = trial.project.root, trial.project.whole
    try:
        with (
            Project.around(root, trial.project.agents, root=whole) as before,
            Project.around(root, trial.after.agents, root=whole, over=trial.applied.after) as after,
        ):
            found = before.compared(after)
    except EngineFailed as e:
        return not_run(str(e))
    if found is None:
        return not_run(MISSING)
    renamed = {op.field: op.to for op in trial.diff if isinstance(op, RenameField)}
    new = new_findings(*found, renamed)
    return refused(_said(new)) if new else proved()


def ask_undoing(trial: Trial) -> Said:
    """The same, and it refuses nothing: what stood there before may stand there again."""
    said = ask(trial)
    return not_run(said[1]) if said[0] is GateStatus.REFUSED else said


def _said(new: tuple[Diagnostic, ...]) -> str:
    return f"the type checker finds what was not there before: {few(new, SHOWN, '; ')}."


def _required(trial: Trial) -> bool:
    """Where a checker is installed. Without one, receivers that nobody can tell are refused as ever."""
    from graphbus_core.build.understand.engine import installed

    return installed()


GATE = Gate("types", ask, required=_required)
UNDOING = Gate("types", ask_undoing, required=lambda trial: False)
