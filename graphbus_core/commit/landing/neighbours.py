"""The files around a change: what it imports, and what that imports; what stands beside what both sides added."""

from __future__ import annotations

from collections.abc import Callable, Collection

from graphbus_core.commit.landing.interference.definitions import find_module
from graphbus_core.commit.landing.repository import Blob, Tree
from graphbus_core.commit.landing.texts import list_imports
from graphbus_core.editing.scope import is_test_file

STEPS = 2  # of imports
MAX_FILES = 200


def find_neighbours(tree: Tree, paths: Collection[str], read: Callable[[Blob], bytes]) -> list[str]:
    """`paths`, as far as the tree has them, and what they import; bounded."""
    python = {path: None for path in tree if path.endswith(".py")}
    found = {path: None for path in sorted(paths) if path in python}
    last = list(found)
    for _ in range(STEPS):
        reached = [
            target
            for path in last
            for level, dotted in list_imports(read(tree[path]))
            if (target := find_module(python, path, level, dotted)) is not None
        ]
        last = [path for path in dict.fromkeys(reached) if path not in found][: max(0, MAX_FILES - len(found))]
        found.update(dict.fromkeys(last))
    return list(found)


def find_siblings(base: Tree, ours: Tree, theirs: Tree) -> set[str]:
    """The files of the folders to which both sides added one, bounded: they may be members of one family."""
    first, second = ({_name_folder(p) for p in side if p not in base} for side in (ours, theirs))
    both = first & second
    paths = {path for tree in (base, ours, theirs) for path in tree if both and _name_folder(path) in both}
    return {path for path in sorted(paths)[:MAX_FILES] if not is_test_file(path)}


def _name_folder(path: str) -> str:
    return path.rpartition("/")[0]
