"""From an agreed diff to proven source, or nothing at all.

`DiffApplicator` splices a structured diff into sources in memory. `CommitEngine` proves the result in a scratch copy,
then writes all files or none.

Each name is imported when it is first used: who only asks whether a commit was cut off here needs no engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.lazy_imports import make_lazy_getattr

if TYPE_CHECKING:
    from graphbus_core.commit.engine import CommitEngine, undo_proposal
    from graphbus_core.editing.applicator import DiffApplicator
    from graphbus_core.model.edit_outcome import Edited, Edited as Applied, Outcome, Refused, Unchanged

__all__ = ["Applied", "CommitEngine", "DiffApplicator", "Edited", "Outcome", "Refused", "Unchanged", "undo_proposal"]

# `Applied` is what the first edition called `Edited`: programs tell outcomes of DiffApplicator by it.
_HOMES = {
    "graphbus_core.commit.engine": "CommitEngine undo_proposal",
    "graphbus_core.model.edit_outcome": "Edited:Applied Edited Outcome Refused Unchanged",
    "graphbus_core.editing.applicator": "DiffApplicator",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = make_lazy_getattr(__name__, _HOMES)
