"""Parses: each changed file compiles, and the project with the change can be scanned."""

from __future__ import annotations

from graphbus_core.build.commit.proof.gate_ends import Said, proved, refused
from graphbus_core.build.commit.proof.trial import Gate, Trial
from graphbus_core.errors import ScanError


def ask(trial: Trial) -> Said:
    """Compile the files, then scan the copy."""
    for path in trial.files:
        try:
            compile(trial.applied.after[path], path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as e:
            return refused(f"{path}:{getattr(e, 'lineno', '?')}: {getattr(e, 'msg', e)}")
    try:
        _ = trial.after
    except ScanError as e:
        return refused(f"the project could no longer be scanned: {e}".replace(str(trial.scratch), ""))
    return proved()


GATE = Gate("parses", ask)
