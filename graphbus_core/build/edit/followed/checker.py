"""The type checker, asked whose method is called where our own reading cannot tell: `queue.get().load(x)`.

It reads the texts as they stand between two operations. Its server starts with the first question of a diff and ends
with the diff: most diffs ask nothing. Where no checker is installed, or it fails, nothing is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from graphbus_core.build.understand.engine.port import Engine, Place

MAX_QUESTIONS = 200  # of one diff; what comes after them is unknown, and refused


class Checker:
    """`root` is the whole project's; `prefix` leads from there to the folder that a workspace's paths begin in."""

    def __init__(self, root: Path, prefix: str) -> None:
        self._root, self._prefix = root, prefix
        self._left = MAX_QUESTIONS

    def definition(self, changed: Mapping[str, bytes], path: str, line: int, column: int) -> tuple[Place, ...]:
        """Where what stands at a place is defined, paths as the workspace has them; "" outside of it.

        `changed`: the texts that are not on the disk.
        """
        from graphbus_core.build.understand.engine.port import EngineFailed, Place

        if self._engine is None or self._left <= 0:
            return ()
        self._left -= 1
        try:
            for other, text in changed.items():
                self._engine.show(self._prefix + other, text)
            found = self._engine.definition(Place(self._prefix + path, line, column))
        except EngineFailed:
            self._left = 0  # it will not answer the next one either
            return ()
        # What lies beside the folder, and in a library, keeps no path here: `fetcher.py` at the root is not ours.
        inner = (one.path.removeprefix(self._prefix) if one.path.startswith(self._prefix) else "" for one in found)
        return tuple(Place(path, one.line, one.column) for path, one in zip(inner, found, strict=True))

    @cached_property
    def _engine(self) -> Engine | None:
        from graphbus_core.build.understand.engine import engine_for

        return engine_for(self._root)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # Asked without making it: a diff that asked nothing starts no checker.
        engine: Engine | None = self.__dict__.get("_engine")
        if engine is not None:
            engine.close()
