"""What a coding agent at the table may read of the project: what git tracks, and neither what it ignores nor secrets.

A seat over HTTP may be anybody's program. So the rule is a list of what is shown, not one of what is hidden: a file
is shown where git tracks it, no rule of git ignores it, no part of its path is hidden or named as secrets are, and its
text holds no private key. Keys of providers inside of a text are blotted out. Links are never followed.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import Any

from graphbus_core.build.confine.door import open_beneath
from graphbus_core.build.confine.scratch import is_secret
from graphbus_core.errors import UsageError
from graphbus_core.files.git import run_git
from graphbus_core.participants.llm.wire.secrets import Scrubber

GIT_S = 20
MAX_FILES = 20_000
MAX_BYTES = 1_000_000  # of a file that is read at all
MAX_TEXT = 60_000  # characters of one answer
_KEY_BLOCK = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
NO_GIT = "This project is not in git, and what git tracks is all that is shown. Run `git init` and commit it."


class NotShown(UsageError):
    """There is no such file, or it is none of a seat's business; which of the two is not said."""


def tracked(root: Path) -> list[str]:
    """The paths below `root` that may be read, in order. Raises UsageError without git."""
    ignored = set(_listed(root, "--ignored", "--exclude-standard"))
    known = _listed(root)
    return sorted(path for path in known if path not in ignored and not _is_hidden(path))[:MAX_FILES]


def listed(root: Path) -> list[dict[str, Any]]:
    """Path and size in bytes of each."""
    found = []
    for path in tracked(root):
        try:
            seen = os.lstat(root / path)
        except OSError:
            continue  # removed, and not committed yet
        if stat.S_ISREG(seen.st_mode):
            found.append({"path": path, "bytes": seen.st_size})
    return found


def read(root: Path, path: str, offset: int = 0) -> dict[str, Any]:
    """The text of one of them from a character on, and where the next part begins. Raises NotShown."""
    if path not in set(tracked(root)):
        raise NotShown(
            f"There is no file {path!r} to read. `map` lists those that are shown: what git tracks, no secrets."
        )
    try:
        with os.fdopen(open_beneath(root, path, os.O_RDONLY), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise NotShown(f"{path} is not a plain file.")
            data = file.read(MAX_BYTES + 1)
    except OSError as e:
        raise NotShown(f"{path} cannot be read: {e.strerror}.") from None
    if len(data) > MAX_BYTES:
        raise NotShown(f"{path} has more than {MAX_BYTES:,} bytes; that is not a source.")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise NotShown(f"{path} is not text.") from None
    if _KEY_BLOCK.search(text):
        raise NotShown(f"{path} holds a private key, and keys are shown to nobody.")
    text = Scrubber((), os.environ)(text)
    end = min(len(text), offset + MAX_TEXT)
    return {"path": path, "text": text[offset:end], "characters": len(text), "next": end if end < len(text) else None}


def _is_hidden(path: str) -> bool:
    return any(is_secret(part) for part in path.split("/"))


def _listed(root: Path, *which: str) -> list[str]:
    try:
        done = run_git(root, "ls-files", "-z", "--cached", *which, timeout_s=GIT_S)
    except OSError:
        raise UsageError(NO_GIT) from None
    if done.returncode:
        raise UsageError(NO_GIT)
    return [path for path in done.stdout.decode("utf-8", "surrogateescape").split("\0") if path]
