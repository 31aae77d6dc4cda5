"""Which sources of a project are not as its last build froze them: a start or a restart does not take those edits."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from graphbus_core.artifacts import MANIFEST, ArtifactFolder
from graphbus_core.artifacts.folder import SOURCES, compute_digest
from graphbus_core.errors import GraphBusError


class EditedSources:
    """Compares the files by their digests. A file is read again only where its time or its length is another.

    `find_root` gives the folder that paths in a build are relative to, `list_files` those that a build would freeze
    now: a new one counts as edited, too.
    """

    def __init__(
        self, output_dir: Path, find_root: Callable[[], Path | None], list_files: Callable[[], Iterable[str]]
    ) -> None:
        self.output_dir = output_dir
        self._find_root, self._list_files = find_root, list_files
        self._lock = threading.Lock()
        self._digests: dict[str, tuple[tuple[int, int], str]] = {}
        self._built: tuple[int, dict[str, str]] | None = None  # of the manifest of that time

    def list_edited(self) -> list[str]:
        """Their paths in order; empty where nothing was built, or where only a build was opened."""
        root = self._find_root()
        if root is None:
            return []
        with self._lock:
            built = self._read_built()
            if built is None:
                return []
            edited = {path for path, digest in built.items() if self._compute_digest(root, path) != digest}
        with suppress(GraphBusError):  # a source that cannot be parsed: it was edited, and its digest says so
            edited |= set(self._list_files()) - built.keys()
        return sorted(edited)

    def _read_built(self) -> dict[str, str] | None:
        try:
            time = (self.output_dir / MANIFEST).stat().st_mtime_ns
            if self._built is None or self._built[0] != time:
                files = ArtifactFolder(self.output_dir).manifest.files
                prefix = f"{SOURCES}/"
                self._built = time, {p.removeprefix(prefix): d for p, d in files.items() if p.startswith(prefix)}
        except (OSError, GraphBusError):
            return None  # nothing was built, or it is just being written
        return self._built[1]

    def _compute_digest(self, root: Path, path: str) -> str:
        file = os.path.join(root, path)
        try:
            status = os.stat(file)
            stamp = status.st_mtime_ns, status.st_size
            known = self._digests.get(path)
            if known is None or known[0] != stamp:
                known = self._digests[path] = stamp, compute_digest(Path(file).read_bytes())
        except OSError:
            return ""  # the file is gone
        return known[1]
