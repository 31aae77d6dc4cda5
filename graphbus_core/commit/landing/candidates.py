"""Whole trees that a landing may come to: each file's candidates put together, most natural first, bounded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path

from graphbus_core.commit.landing.files import FileMerge, merge_file
from graphbus_core.commit.landing.regions import Decisions, Place, apply_decisions, list_places
from graphbus_core.commit.landing.repository import SUBMODULE, Blob, Repository, Tree
from graphbus_core.editing.structural_merge import MAX_CANDIDATES, Candidate, Conflict

MAX_COMBINATIONS = 4_096  # that are ordered at all


@dataclass(frozen=True)
class TreeCandidate:
    """Changes to the tree of ours: a blob, content to be stored, or None where the file goes."""

    changes: dict[str, Blob | bytes | None]
    modes: dict[str, str] = field(default_factory=dict)
    parts: tuple[tuple[FileMerge, Candidate], ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether every merged file holds every promise."""
        return all(merge.is_sound(candidate) for merge, candidate in self.parts)


@dataclass(frozen=True)
class Plan:
    """What a landing starts from: candidates, the files that both sides changed, and what stands against it."""

    candidates: tuple[TreeCandidate, ...]
    both: tuple[str, ...] = ()
    ordered: tuple[str, ...] = ()  # `file: symbol` of each list whose order matters by itself
    failed: tuple[FileMerge, ...] = ()
    places: tuple[Place, ...] = ()  # of what failed


def plan_landing(repository: Repository, base: str, ours: str, theirs: str, decisions: Decisions | None = None) -> Plan:
    """Merge the trees of three commits, file by file. What was decided of a region, both sides say."""
    old, left, right = (repository.read_tree(commit) for commit in (base, ours, theirs))
    taken: dict[str, Blob | bytes | None] = {}
    modes: dict[str, str] = {}
    merges: list[FileMerge] = []
    decided = decisions or {}
    for path in sorted({*old, *left, *right}):
        before, mine, other = old.get(path), left.get(path), right.get(path)
        if other == before or mine == other:
            continue
        if mine == before:
            taken[path] = other
            if other is not None and any(file == path for file, _ in decided):
                taken[path], modes[path] = apply_decisions(path, repository.read_blob(other), decided), other.mode
            continue
        if mine is None or other is None:
            merges.append(_gone(path, "ours" if mine is None else "theirs"))
        elif SUBMODULE in (mine.mode, other.mode):
            merges.append(_failed(path, "both sides moved a submodule"))
        elif mine.mode != other.mode and before is not None and before.mode not in (mine.mode, other.mode):
            merges.append(_failed(path, "both sides changed what kind of file it is"))
        else:
            text, *sides = (repository.read_blob(blob) for blob in (before, mine, other))
            modes[path] = other.mode if before is not None and mine.mode == before.mode else mine.mode
            merges.append(merge_file(path, text, *(apply_decisions(path, side, decided) for side in sides)))
    merges += _find_path_clashes(left, taken)
    failed = tuple(m for m in merges if not m.candidates)
    ordered = tuple(f"{m.path}: {symbol}" for m in merges for c in m.candidates[:1] for symbol in c.ordered)
    if failed:
        places = tuple(place for m in failed if m.path in modes for place in list_places(m))
        return Plan((), tuple(m.path for m in merges), ordered, failed, places)
    trees = tuple(
        TreeCandidate(
            {**taken, **{m.path: c.data for m, c in zip(merges, chosen, strict=True)}},
            modes,
            tuple(zip(merges, chosen, strict=True)),
        )
        for chosen in _combine([m.candidates for m in merges])
    )
    return Plan(trees, tuple(m.path for m in merges), ordered)


def write_candidate(repository: Repository, candidate: TreeCandidate, ours: str, scratch: Path) -> str:
    """Write the tree that a candidate makes of ours; gives its name."""
    changes: dict[str, Blob | None] = {}
    for path, what in candidate.changes.items():
        if isinstance(what, bytes):
            changes[path] = Blob(candidate.modes.get(path, "100644"), repository.write_blob(what))
        else:
            changes[path] = what
    return repository.write_tree(ours, changes, scratch)


def _combine(choices: Sequence[Sequence[Candidate]]) -> list[tuple[Candidate, ...]]:
    """One candidate of each file: the first of all, then what differs from it in fewest files."""
    indices = list(islice(product(*(range(len(c)) for c in choices)), MAX_COMBINATIONS))
    indices.sort(key=lambda chosen: (sum(i > 0 for i in chosen), sum(chosen)))
    return [tuple(c[i] for c, i in zip(choices, chosen, strict=True)) for chosen in indices[:MAX_CANDIDATES]]


def _find_path_clashes(left: Tree, taken: dict[str, Blob | bytes | None]) -> list[FileMerge]:
    """A file of the one where the other has a folder."""
    folders = {path.rsplit("/", i)[0] for path in left for i in range(1, path.count("/") + 1)}
    return [
        _failed(path, "one side has a file where the other has a folder")
        for path, blob in taken.items()
        if blob is not None and path in folders
    ]


def _gone(path: str, side: str) -> FileMerge:
    return _failed(path, f"{side} removed the file, and the other side changed it")


def _failed(path: str, reason: str) -> FileMerge:
    return FileMerge(path, (), (Conflict(path, reason, 1, "", "", ""),))
