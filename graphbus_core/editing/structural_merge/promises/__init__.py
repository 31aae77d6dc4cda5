"""What a merged text owes both sides, checked without running it: edits, values, blocks, names. Pure."""

from __future__ import annotations

from graphbus_core.editing.source import Source
from graphbus_core.editing.structural_merge.promises.dataflow import check_flows
from graphbus_core.editing.structural_merge.promises.edits import check_edits
from graphbus_core.editing.structural_merge.promises.repeats import check_repeats
from graphbus_core.editing.structural_merge.promises.scopes import Promise, read_changed

__all__ = ["Promise", "broken_promises"]


def broken_promises(base: bytes, ours: bytes, theirs: bytes, merged: bytes, path: str = "module.py") -> list[Promise]:
    """What the merged text does not hold of what either side did; nothing where it holds all."""
    if merged in (ours, theirs) and base in (ours, theirs):
        return []
    four = [Source(path, data) for data in (base, ours, theirs, merged)]
    changed = read_changed(*four)
    return [*check_edits(changed, four), *check_flows(changed), *check_repeats(changed)]
