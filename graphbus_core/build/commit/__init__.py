"""From an agreed diff to proven source, or nothing at all.

`DiffApplicator` splices a structured diff into sources in memory. `CommitEngine` proves the result in a scratch copy,
then writes all files or none.
"""

from graphbus_core.build.commit.engine import CommitEngine, undo_proposal
from graphbus_core.build.confine.outcome import Applied, Outcome, Refused, Unchanged
from graphbus_core.build.edit.applicator import DiffApplicator

__all__ = ["Applied", "CommitEngine", "DiffApplicator", "Outcome", "Refused", "Unchanged", "undo_proposal"]
