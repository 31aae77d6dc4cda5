"""Imports the modules of a build from its frozen sources, apart from everything else (`artifacts.importing`).

Sources are read and verified before the first of them runs.
"""

from __future__ import annotations

import os
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
