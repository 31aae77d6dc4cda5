"""Still true: every file that a gate read is what it was when it was read.

A gate proves something of a copy. Between the copy and the write a person may edit: the files that the commit changes
are compared by the transaction, but the proof rests on the others too (a consumer, a test, a settings file). It
rests on there being no more of them as well: a new consumer would stand on what the change takes away.
"""

from __future__ import annotations

from graphbus_core.commit.gates.trial import Gate, GateAnswer, Trial, report_proved, report_refused
from graphbus_core.sandbox.scratch import find_changes_since
from graphbus_core.text import join_few

NAME = "still true"
SHOWN = 5


def ask(trial: Trial) -> GateAnswer:
    """Look at the files again."""
    changed = find_changes_since(trial.project.root, trial.seen, trial.list_python_files())
    if not changed:
        changed = trial.project.find_added_files()
    if not changed:
        return report_proved()
    return report_refused(f"{join_few(changed, SHOWN)}: edited while the gates ran.")


GATE = Gate(NAME, ask)
