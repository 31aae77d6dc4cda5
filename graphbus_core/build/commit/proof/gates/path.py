"""Path: the door lets each changed file through."""

from __future__ import annotations

from graphbus_core.build.commit.proof.ends import Gate, Said, proved, refused
from graphbus_core.build.commit.proof.trial import Trial


def ask(trial: Trial) -> Said:
    """No link on the way, no file that decides how code is found or tested, none that its owner has shut."""
    for path in trial.files:
        if (why := trial.door.refuse_writing(path)) is not None:
            return refused(why)
    return proved()


GATE = Gate("path", ask)
