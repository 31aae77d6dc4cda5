"""Breaks that are put into a project: a renamed key, a removed field, a changed return type. Each breaks somebody.

Nothing here knows what `infer` reads. A place is taken where the text alone shows that somebody in the project relies
on it: the same function, variable or class by name, with nothing else of that name in the project. Which of the places
are taken, and how each is changed, is drawn from the project's name.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from benchmarks.adoption_cases.places import Break, Place, Read
from benchmarks.adoption_cases.removed import removed_fields
from benchmarks.adoption_cases.renamed import renamed_keys
from benchmarks.adoption_cases.returned import changed_returns

EACH = 10

__all__ = ["Break", "breaks"]


def breaks(root: Path, paths: list[str], seed: str) -> list[Break]:
    """Ten breaks of a project, the kinds in turn; fewer where it has fewer places."""
    read = Read(root, paths)
    rng = random.Random(seed)
    kinds = [_drawn(kind(read, rng), rng) for kind in (renamed_keys, removed_fields, changed_returns)]
    chosen: list[Break] = []
    while len(chosen) < EACH and any(kinds):
        for waiting in kinds:
            if waiting and len(chosen) < EACH:
                chosen.append(read.broken(waiting.pop()))
    return chosen


def _drawn(places: Iterator[Place], rng: random.Random) -> list[Place]:
    found = list({one.what: one for one in places}.values())
    rng.shuffle(found)
    return found
