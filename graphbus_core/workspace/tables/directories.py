"""The document negotiations that a workspace shows: each directory under a name of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def named(folders: Sequence[Path]) -> dict[str, Path]:
    """Name -> folder. The name is the folder's own; where two have the same, the folder above stands before it, and
    then a number. A folder that is given twice is there once."""
    # Resolved, so that one folder reached over two paths is one negotiation.
    whole = list(dict.fromkeys(Path(folder).resolve() for folder in folders))
    own = [folder.name or "negotiation" for folder in whole]
    found: dict[str, Path] = {}
    for folder, name in zip(whole, own, strict=True):
        base = name if own.count(name) == 1 else f"{folder.parent.name}-{name}".strip("-")
        free, number = base, 1
        while free in found:
            number += 1
            free = f"{base}-{number}"
        found[free] = folder
    return found
