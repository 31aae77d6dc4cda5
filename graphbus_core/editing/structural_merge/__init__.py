"""A three-way merge of Python by structure: candidates or conflicts, never a pick. Pure; proof is another's work."""

from graphbus_core.editing.structural_merge.merge import (
    MAX_CANDIDATES,
    Candidate,
    Conflict,
    Merged,
    Site,
    merge_sources,
)

__all__ = ["MAX_CANDIDATES", "Candidate", "Conflict", "Merged", "Site", "merge_sources"]
