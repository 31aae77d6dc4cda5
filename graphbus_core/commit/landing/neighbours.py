"""The files that some files of a tree lean on: what they import, and what that imports."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator

from graphbus_core.commit.landing.interference.definitions import find_module
from graphbus_core.commit.landing.repository import Blob, Tree

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
            for level, dotted in _read_imports(read(tree[path]))
            if (target := find_module(python, path, level, dotted)) is not None
        ]
        last = [path for path in dict.fromkeys(reached) if path not in found][: max(0, MAX_FILES - len(found))]
        found.update(dict.fromkeys(last))
    return list(found)


def _read_imports(data: bytes) -> Iterator[tuple[int, str]]:
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                yield from ((0, alias.name) for alias in aliases)
            case ast.ImportFrom(module=module, level=level, names=aliases):
                yield level, module or ""
                yield from ((level, f"{module}.{a.name}" if module else a.name) for a in aliases)
