"""`graphbus run --reload`: sources that were saved are built, and a new build is taken by the run.

Sources are looked at, not watched: a few hundred files cost a millisecond, on every system, also on network disks. The
build is a process of its own, so that the run loads nothing of it and goes on meanwhile.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.cli.run.workers import IS_WORKER
from graphbus_core.errors import GraphBusError

if TYPE_CHECKING:
    from graphbus_core.config import RuntimeConfig

LOOK_S = 0.3  # between two looks
BUILD_S = 600.0  # a build that takes longer is given up
MAX_FILES = 20_000
NOT_SOURCES = frozenset(("__pycache__", "node_modules", "site-packages", "venv", "build", "dist"))
Files = dict[str, tuple[int, int]]


@contextmanager
def reloading(
    config: RuntimeConfig, tell: Callable[[str, bool], None], take: Callable[[], str | None] | None
) -> Iterator[None]:
    """`--reload`: look after the sources and the build meanwhile. Of `--workers` the process above builds, once."""
    if not config.reloadable:
        yield
        return
    looking = Reloading(config.artifacts_dir, tell, take, rebuild=not os.environ.get(IS_WORKER))
    if looking.root is None and not os.environ.get(IS_WORKER):
        tell("The sources of this build are not here, so what is saved is not built; a new build is taken.", True)
    looking.start()
    try:
        yield
    finally:
        looking.stop()


class Reloading:
    """Looks after one build folder in a thread of its own. `reload` takes a new build and says what it did; `tell` is
    given what is to be shown, and whether it is a problem. With `rebuild` saved sources are built.
    """

    def __init__(
        self,
        artifacts: str | Path,
        tell: Callable[[str, bool], None],
        reload: Callable[[], str | None] | None,
        *,
        rebuild: bool = True,
    ) -> None:
        self._artifacts, self._tell, self._reload = Path(artifacts), tell, reload
        self.root = root_of(self._artifacts) if rebuild else None
        self._saved = self._sources()
        self._unsettled: Files | None = None
        self._built = self._manifest()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="graphbus-reload", daemon=True)

    def start(self) -> None:
        """Look from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; a reload under way ends first."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(30)

    def look(self) -> None:
        """Build what was saved; take what was built."""
        if self.root is not None:
            now = self._sources()
            if now != self._saved and now != self._unsettled:
                self._unsettled = now  # an editor may still be writing: at the next look, if nothing else comes
            elif now != self._saved:
                self._saved, self._unsettled = now, None
                self._build(self.root)
        built = self._manifest()
        if built and built != self._built:
            self._built = built
            self._take()

    def _take(self) -> None:
        if self._reload is None:
            return
        try:
            did = self._reload()
        except GraphBusError as e:
            self._tell(str(e), True)
            return
        if did:
            self._tell(did, False)

    def _build(self, root: Path) -> None:
        command = [sys.executable, "-m", "graphbus_core.cli.main", "build", str(root), "-o", str(self._artifacts)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_S, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            self._tell(f"The build took longer than {BUILD_S:g} s and was given up. The run goes on as it was.", True)
            return
        if done.returncode == 1:  # it is built, and something was found
            self._tell(f"The build has findings: {_first_line(done.stdout)}", True)
        elif done.returncode:
            said = done.stderr.strip().removeprefix("graphbus: ") or _first_line(done.stdout)
            self._tell(f"{said} So nothing was reloaded; the run goes on as it was.", True)

    def _manifest(self) -> str:
        try:
            return str(json.loads((self._artifacts / "manifest.json").read_bytes())["digest"])
        except (OSError, ValueError, KeyError, TypeError):
            return ""  # a build is being written

    def _sources(self) -> Files:
        found: Files = {}
        for path in _source_files(self.root) if self.root is not None else ():
            try:
                seen = os.stat(path)
            except OSError:
                continue
            found[path] = seen.st_mtime_ns, seen.st_size
            if len(found) >= MAX_FILES:
                break
        return found

    def _run(self) -> None:
        while not self._over.wait(LOOK_S):
            try:
                self.look()
            except Exception as e:  # a look that fails is no reason to stop the run, or the looking
                self._tell(f"looking for changes: {type(e).__name__}: {e}", True)


def root_of(artifacts: Path) -> Path | None:
    """What a build was made of: as its command said it, from here or from beside the folder. None: it is not there."""
    try:
        said = str(json.loads((artifacts / "build_summary.json").read_bytes())["root_package"])
        modules = json.loads((artifacts / "manifest.json").read_bytes())["modules"].values()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    files = [one["file"].partition("/")[2] for one in modules if one.get("file")]
    for base in (Path(), artifacts.resolve().parent):
        root = base / said
        # `agents/shop.py` under the project; where the agents' folder itself was built, beside it.
        if root.is_dir() and any((at / file).is_file() for at in (root, root.parent) for file in files):
            return root
    return None


def _source_files(root: Path) -> Iterator[str]:
    for folder, inside, files in os.walk(root):
        inside[:] = [one for one in inside if not one.startswith(".") and one not in NOT_SOURCES]
        yield from (os.path.join(folder, one) for one in files if one.endswith(".py") or one == "pyproject.toml")


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
