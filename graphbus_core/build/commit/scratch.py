"""A copy of the project where a commit is tried out. Links are copied as links; what is no source stays out."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from graphbus_core.build.commit.outcome import Refusal

SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "venv", "env", "build", "dist", "htmlcov"})
MAX_FILES = 20_000
MAX_BYTES = 500_000_000


@contextmanager
def scratch_copy(root: Path, changes: Mapping[str, bytes], leave_out: Path | None = None) -> Iterator[Path]:
    """A copy of `root` with `changes` written into it; gone afterwards. Refusal where the project is too large."""
    with tempfile.TemporaryDirectory(prefix="graphbus-scratch-", ignore_cleanup_errors=True) as folder:
        target = Path(folder) / "project"
        os.chmod(folder, 0o755)
        copy_tree(root, target, leave_out)
        for path, data in changes.items():
            (target / path).write_bytes(data)
        yield target


def copy_tree(root: Path, target: Path, leave_out: Path | None = None) -> None:
    """Copy a project's folder. Hidden folders, environments and build output stay behind."""
    files = size = 0
    target.mkdir()
    waiting = [(str(root), str(target))]
    while waiting:
        source, to = waiting.pop()
        with os.scandir(source) as entries:
            for entry in entries:
                place = os.path.join(to, entry.name)
                if entry.is_symlink():
                    os.symlink(os.readlink(entry.path), place)
                elif entry.is_dir():
                    if not _skipped(entry, leave_out):
                        os.mkdir(place)
                        waiting.append((entry.path, place))
                elif entry.is_file():
                    files += 1
                    size += entry.stat().st_size
                    if files > MAX_FILES or size > MAX_BYTES:
                        raise Refusal(
                            f"the project's folder {root} is too large to be copied ({files} files, {size >> 20} MB); "
                            "move data and environments out of it."
                        )
                    shutil.copy2(entry.path, place)


def _skipped(entry: os.DirEntry[str], leave_out: Path | None) -> bool:
    if entry.name in SKIPPED or entry.name.startswith("."):
        return True
    if leave_out is not None and entry.path == str(leave_out):
        return True
    return os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))
