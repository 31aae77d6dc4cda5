"""The one door through which a commit reaches the project's files (design §13).

A path is opened component by component from the root's descriptor, never through a link, and only if the project's
graph holds it. What a name may never be, whatever the graph says, is listed here.
"""

from __future__ import annotations

import errno
import fnmatch
import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

# Compared without regard to case and Unicode form: file systems differ in what they take for the same name.
FORBIDDEN_NAMES = (
    "conftest.py",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "tox.ini",
    "noxfile.py",
    "pytest.ini",
    "sitecustomize.py",
    "usercustomize.py",
    "jenkinsfile",
    "makefile",
    "dockerfile*",
    "azure-pipelines*",
    "*.pth",
    "*.yml",
    "*.yaml",
)
FORBIDDEN_FOLDERS = ("__pycache__", "node_modules", "site-packages", "dist-packages")
MAX_PATH = 1_000  # characters


def explain_forbidden(path: str) -> str | None:
    """Why this text cannot be a path of a project's source, or None. Looks at the text alone."""
    if not path or len(path) > MAX_PATH:
        return "it is empty or too long"
    if "\0" in path or "\\" in path or any(unicodedata.category(c) == "Cc" for c in path):
        return "it holds characters that no source path needs"
    if path.startswith("/") or (len(path) > 1 and path[1] == ":"):
        return "it is absolute"
    parts = path.split("/")
    for part in parts:
        plain = unicodedata.normalize("NFKC", part).casefold().rstrip(". ")
        if part in ("", ".", "..") or plain in ("", ".", ".."):
            return "it leaves or repeats a folder"
        if part.startswith(".") or plain.startswith("."):
            return f"{part} is hidden: .git, .graphbus and the settings of tools and CI are never edited"
        if plain in FORBIDDEN_FOLDERS:
            return f"{part} holds no sources of this project"
    last = unicodedata.normalize("NFKC", parts[-1]).casefold().rstrip(". ")
    for pattern in FORBIDDEN_NAMES:
        if fnmatch.fnmatchcase(last, pattern):
            return f"{parts[-1]} decides how code is found, tested or built; no proposal changes it"
    if not last.endswith(".py"):
        return "it is not Python source"
    return None


class PathGuard:
    """Reads files of one project. `allowed` are the paths that the project's graph holds."""

    def __init__(self, root: Path, allowed: Iterable[str]) -> None:
        self.root, self.allowed = root, frozenset(allowed)

    def explain_refusal(self, path: str) -> str | None:
        """Why this path may not be edited, or None."""
        why = explain_forbidden(path)
        if why is not None:
            return f"{path!r}: {why}."
        if path not in self.allowed:
            return f"{path!r} is not a file of this project's graph."
        try:
            with open_scoped(self.root, path, os.O_RDONLY) as fd:
                status = os.fstat(fd)
        except OSError as e:
            return f"{path!r} {_explain_error(e, 'opened')}."
        if not stat.S_ISREG(status.st_mode):
            return f"{path!r} is not a plain file."
        if status.st_nlink > 1:
            return f"{path!r} has {status.st_nlink} names (hard links); a commit would part them."
        return None

    def explain_creation_refusal(self, path: str) -> str | None:
        """Why there may be no new file at this path, or None. Its folder must be there already, or be `tests/`."""
        why = explain_forbidden(path)
        if why is not None:
            return f"{path!r}: {why}."
        folder = path.rpartition("/")[0]
        try:
            parent, name = open_parent(self.root, path)
        except FileNotFoundError:
            return None if folder == "tests" else f"{path!r}: there is no folder {folder}."
        except OSError as e:
            return f"{path!r} {_explain_error(e, 'made')}."
        try:
            os.stat(name, dir_fd=parent, follow_symlinks=False)
        except FileNotFoundError:
            return None
        finally:
            os.close(parent)
        return f"{path!r} is there already."

    def explain_write_refusal(self, path: str) -> str | None:
        """Why this path may not be written, or None: also where its owner has shut it."""
        why = self.explain_refusal(path)
        if why is not None:
            return why
        try:
            with open_scoped(self.root, path, os.O_RDONLY) as fd:
                shut = not os.fstat(fd).st_mode & 0o222
        except OSError as e:
            return f"{path!r} {_explain_error(e, 'opened')}."
        if shut or not os.access(self.root / path, os.W_OK):
            return f"{path!r} is read-only, and stays as it is. Make it writable (chmod u+w) if it may be changed."
        return None

    def read_file(self, path: str) -> bytes | None:
        """The file's bytes, or None where the door stays shut."""
        if self.explain_refusal(path) is not None:
            return None
        try:
            fd = open_beneath(self.root, path, os.O_RDONLY)
        except OSError:
            return None
        with os.fdopen(fd, "rb") as file:
            return file.read()


def _explain_error(error: OSError, what: str) -> str:
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return "is reached through a symbolic link"
    return f"cannot be {what}: {os.strerror(error.errno or 0)}"


@contextmanager
def open_scoped(root: Path, path: str, flags: int, mode: int = 0o600) -> Iterator[int]:
    """A descriptor of `path` below `root`, no component a link; closed afterwards. Raises OSError."""
    fd = open_beneath(root, path, flags, mode)
    try:
        yield fd
    finally:
        os.close(fd)


@contextmanager
def open_parent_scoped(root: Path, path: str) -> Iterator[tuple[int, str]]:
    """A descriptor of the folder that holds `path`, and the last name; closed afterwards. Raises OSError."""
    fd, name = open_parent(root, path)
    try:
        yield fd, name
    finally:
        os.close(fd)


def open_beneath(root: Path, path: str, flags: int, mode: int = 0o600) -> int:
    """A descriptor of `path` below `root`, no component a link. Raises OSError (ELOOP or ENOTDIR for a link)."""
    with open_parent_scoped(root, path) as (folder, name):
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, mode, dir_fd=folder)


def open_parent(root: Path, path: str) -> tuple[int, str]:
    """A descriptor of the folder that holds `path`, and the last name. Raises OSError."""
    *folders, name = path.split("/")
    if name in ("", ".", "..") or "\0" in path or any(f in ("", ".", "..") for f in folders):
        raise OSError(errno.EINVAL, "not a path below the root", path)
    fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for folder in folders:
            inner = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fd)
            os.close(fd)
            fd = inner
    except BaseException:
        os.close(fd)
        raise
    return fd, name
