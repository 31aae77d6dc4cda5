"""Parses: each changed file compiles, and the project with the change can be scanned."""

from __future__ import annotations

from graphbus_core.commit.gates.trial import Gate, GateAnswer, Trial, report_proved, report_refused
from graphbus_core.errors import ScanError


def ask(trial: Trial) -> GateAnswer:
    """Compile the files, then scan the copy."""
    for path in trial.files:
        try:
            compile(trial.applied.after[path], path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as e:
            return report_refused(f"{path}:{getattr(e, 'lineno', '?')}: {getattr(e, 'msg', e)}")
    try:
        _ = trial.after
    except ScanError as e:
        return report_refused(f"the project could no longer be scanned: {e}".replace(str(trial.scratch), ""))
    return report_proved()


GATE = Gate("parses", ask)
