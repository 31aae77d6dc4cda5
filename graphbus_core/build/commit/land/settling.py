"""A commit that a crash cut off: whose it is, and how it is brought to its end.

One output folder may serve several projects. So a journal names its project, relative to the output folder: it is
settled there, whichever of them is built next, and moves along with both.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from graphbus_core.build.commit.land.disk import Disk, RealDisk
from graphbus_core.build.commit.land.transaction import JOURNAL, Result, left_by, recover
from graphbus_core.errors import LogDamaged
from graphbus_core.files.build_lock import build_lock

CUT_OFF = (
    "A commit was cut off here, and its files may be half old, half new; "
    "`graphbus build` settles that before it does anything else."
)


def place(root: Path, state: Path) -> str:
    """A project's root as seen from an output folder."""
    return os.path.relpath(os.path.realpath(root), os.path.realpath(state)).replace(os.sep, "/")


def is_cut_off(output_dir: Path | str) -> bool:
    """Whether a journal lies there. Looks at nothing else."""
    return os.path.lexists(Path(output_dir) / "commit" / JOURNAL.rpartition("/")[2])


def warning(*output_dirs: Path | str) -> str | None:
    """What a command that only reads the sources should say of them."""
    return CUT_OFF if any(is_cut_off(folder) for folder in output_dirs) else None


def settle(state: Path, root: Path, folders: Iterable[str], disk: Disk) -> tuple[Result, Path]:
    """Finish or take back what was cut off; also gives whose it was. The lock is the caller's.

    Raises LogDamaged for a journal that is damaged, was not begun here, or whose project is gone; OSError.
    """
    left = left_by(disk)
    whose = root if left is None else Path(os.path.normpath(os.path.join(os.path.realpath(state), left)))
    if left is None or left == place(root, state):
        return recover(disk, folders), root
    if not whose.is_dir():
        raise LogDamaged(
            f"A commit of a project at {whose} was cut off, and there is no such folder now. Put it back and build "
            f"again, or look at its files yourself and delete {state / 'commit' / 'journal'}."
        )
    result = recover(RealDisk(whose, state))
    recover(disk, folders)
    return result, whose


def settle_alone(output_dir: Path) -> str | None:
    """Settle before a build that does not negotiate; gives what was done, in a sentence. Raises Locked, LogDamaged."""
    if not is_cut_off(output_dir):
        return None
    state = Path(os.path.abspath(output_dir))
    with build_lock(state):
        result, whose = settle(state, state, (), RealDisk(state, state))
    return sentence(result, whose)


def sentence(result: Result, whose: Path) -> str | None:
    """What became of it."""
    if result is Result.DONE:
        return f"A commit to {whose} that was cut off has been finished."
    if result is Result.SUPERSEDED:
        return f"A commit to {whose} that was cut off was taken back, because a file of it was edited since."
    return None
