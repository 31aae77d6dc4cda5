"""Still true: every file that a gate read is what it was when it was read.

A gate proves something of a copy. Between the copy and the write a person may edit: the files that the commit changes
are compared by the transaction, but the proof rests on the others too (a consumer, a test, a settings file). It
rests on there being no more of them as well: a new consumer would stand on what the change takes away.
"""

from __future__ import annotations

from graphbus_core.build.commit.proof.gate_ends import Said, proved, refused
from graphbus_core.build.commit.proof.trial import Gate, Trial
from graphbus_core.build.confine.scratch import changed_since
from graphbus_core.errors import ScanError
from graphbus_core.shown import few

NAME = "still true"
SHOWN = 5


def ask(trial: Trial) -> Said:
    """Look at the files again."""
    changed = changed_since(trial.project.root, trial.seen, trial.paths())
    if not changed:
        try:
            changed = sorted(trial.project.again().files.keys() - trial.project.files.keys())
        except ScanError as e:
            return refused(f"the sources can no longer be read: {e}.")
    if not changed:
        return proved()
    return refused(f"{few(changed, SHOWN)}: edited while the gates ran.")


GATE = Gate(NAME, ask)
