"""What a merged text owes both sides, checked without running it: edits, values, blocks, names. Pure."""

from __future__ import annotations

from graphbus_core.editing.source import Source
from graphbus_core.editing.structural_merge.promises.dataflow import check_flows
from graphbus_core.editing.structural_merge.promises.edits import check_edits
from graphbus_core.editing.structural_merge.promises.repeats import check_repeats
from graphbus_core.editing.structural_merge.promises.scopes import Promise, Reading, find_all_renames, match_versions

__all__ = ["Promise", "Promises", "broken_promises"]


class Promises:
    """What two sides of one base are owed. The three are read once, however many merged texts are held against them.

    Raises Refusal where one of the three is not Python.
    """

    def __init__(self, base: bytes, ours: bytes, theirs: bytes, path: str = "module.py") -> None:
        self.path = path
        self.three = (base, ours, theirs)
        sources = [Source(path, data) for data in self.three]
        self.renames = find_all_renames(*sources)
        self.readings = [Reading(source, self.renames) for source in sources]

    def find_broken(self, merged: bytes) -> list[Promise]:
        """What a merged text does not hold of what either side did; nothing where it holds all. Raises Refusal."""
        base, ours, theirs = self.three
        if merged in (ours, theirs) and base in (ours, theirs):
            return []
        four = [*self.readings, Reading(Source(self.path, merged), self.renames)]
        changed = match_versions(four)
        return [*check_edits(changed, four), *check_flows(changed), *check_repeats(changed)]


def broken_promises(base: bytes, ours: bytes, theirs: bytes, merged: bytes, path: str = "module.py") -> list[Promise]:
    """What one merged text does not hold of what either side did."""
    return Promises(base, ours, theirs, path).find_broken(merged)
