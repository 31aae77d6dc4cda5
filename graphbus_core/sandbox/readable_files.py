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

from graphbus_core.errors import Unavailable, UsageError
from graphbus_core.participants.secret_scrubber import Scrubber
from graphbus_core.sandbox.path_guard import open_beneath
from graphbus_core.sandbox.scratch import is_secret
from graphbus_core.storage.git import run_git

GIT_S = 20
MAX_FILES = 20_000
MAX_BYTES = 1_000_000  # of a file that is read at all
MAX_TEXT = 60_000  # characters of one answer
_KEY_BLOCK = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
NO_GIT = "This project is not in git, and what git tracks is all that is shown. Run `git init` and commit it."


class FileNotReadable(UsageError):
    """There is no such file, or it is none of a seat's business; which of the two is not said."""


def list_tracked(root: Path) -> list[str]:
    """The paths below `root` that may be read, in order. Raises Unavailable without git."""
    ignored = set(_list_git_files(root, "--ignored", "--exclude-standard"))
    cached_paths = _list_git_files(root)
    return sorted(path for path in cached_paths if path not in ignored and not _is_hidden(path))[:MAX_FILES]


def list_files(root: Path) -> list[dict[str, Any]]:
    """Path and size in bytes of each."""
    entries = []
    for path in list_tracked(root):
        try:
            status = os.lstat(root / path)
        except OSError:
            continue  # removed, and not committed yet
        if stat.S_ISREG(status.st_mode):
            entries.append({"path": path, "bytes": status.st_size})
    return entries


def read_file(root: Path, path: str, offset: int = 0) -> dict[str, Any]:
    """The text of one of them from a character on, and where the next part begins. Raises FileNotReadable."""
    if path not in set(list_tracked(root)):
        raise FileNotReadable(
            f"There is no file {path!r} to read. `map` lists those that are shown: what git tracks, no secrets."
        )
    try:
        with os.fdopen(open_beneath(root, path, os.O_RDONLY), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileNotReadable(f"{path} is not a plain file.")
            data = file.read(MAX_BYTES + 1)
    except OSError as e:
        raise FileNotReadable(f"{path} cannot be read: {e.strerror}.") from None
    if len(data) > MAX_BYTES:
        raise FileNotReadable(f"{path} has more than {MAX_BYTES:,} bytes; that is not a source.")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise FileNotReadable(f"{path} is not text.") from None
    if _KEY_BLOCK.search(text):
        raise FileNotReadable(f"{path} holds a private key, and keys are shown to nobody.")
    text = Scrubber((), os.environ)(text)
    end = min(len(text), offset + MAX_TEXT)
    return {"path": path, "text": text[offset:end], "characters": len(text), "next": end if end < len(text) else None}


def _is_hidden(path: str) -> bool:
    return any(is_secret(part) for part in path.split("/"))


def _list_git_files(root: Path, *which: str) -> list[str]:
    try:
        result = run_git(root, "ls-files", "-z", "--cached", *which, timeout_s=GIT_S)
    except OSError:
        raise Unavailable(NO_GIT) from None
    if result.returncode:
        raise Unavailable(NO_GIT)
    return [path for path in result.stdout.decode("utf-8", "surrogateescape").split("\0") if path]
