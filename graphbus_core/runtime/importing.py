"""Imports the modules of a build from its frozen sources, apart from everything else (`artifacts.importing`).

Sources are read and verified before the first of them runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from types import CodeType

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.artifacts.importing import PrivateModules
from graphbus_core.runtime.code_cache import CodeCache


class FrozenModules(PrivateModules):
    """The modules of one build, importable under the names they had when they were built."""

    missing = (
        "in this build: when the project was built it was not there, or nobody imported it. "
        "Build again with `graphbus build`."
    )

    def __init__(self, folder: ArtifactFolder) -> None:
        self._digests = folder.manifest.files
        self._cache = CodeCache(folder.path)
        sources = {m.file: folder.read(m.file) for m in folder.modules.values() if m.file}
        super().__init__(folder.modules, sources, os.path.abspath(folder.path))

    def keep_code(self) -> None:
        """Keep what was compiled so far for the next run."""
        self._cache.save()

    def compile(self, file: str, source: bytes) -> CodeType:
        """The code of one file, whose source was verified by its digest."""
        return self._cache.compile(source, self._digests[file], file)

    def take_over(self, running: FrozenModules | None, names: Iterable[str]) -> None:
        """Use the modules of a running build that are what they were: what they hold stays one, for all nodes."""
        if running is None:
            return
        for name in sorted(names):  # packages before what is in them
            module = sys.modules.get(f"{running.prefix}.{name}")
            if module is None or self._modules[name].file is None:
                continue
            sys.modules[f"{self.prefix}.{name}"] = module
            parent, _, own = name.rpartition(".")
            package = import_module(f"{self.prefix}.{parent}" if parent else self.prefix)
            setattr(package, own, module)

    def give_back(self, running: FrozenModules) -> None:
        """Undo what importing these modules did to packages of the running build: they name their own again."""
        for name in self._modules:
            parent, _, own = name.rpartition(".")
            package = sys.modules.get(f"{running.prefix}.{parent}") if parent else None
            before = sys.modules.get(f"{running.prefix}.{name}")
            if package is not None and before is not None and getattr(package, own, None) is not before:
                setattr(package, own, before)

    def uses(self, other: FrozenModules) -> bool:
        """Whether any module that the other set loaded is in use here, and not only one that it took over itself."""
        for name in self._modules:
            mine = sys.modules.get(f"{self.prefix}.{name}")
            if mine is not None and mine is sys.modules.get(f"{other.prefix}.{name}"):
                spec = getattr(mine, "__spec__", None)  # a stand-in has none
                if spec is None or spec.name.startswith(f"{other.prefix}."):
                    return True
        return False
