"""The files that some files of a tree lean on: what they import, and what that imports."""

from __future__ import annotations

from collections.abc import Callable, Collection

from graphbus_core.commit.landing.interference.definitions import find_module
from graphbus_core.commit.landing.repository import Blob, Tree
from graphbus_core.commit.landing.texts import list_imports

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
