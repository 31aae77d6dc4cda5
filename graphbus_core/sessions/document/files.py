"""Files of a negotiation's directory, which others write too: whole reads, whole writes, nothing followed.

What is written here can always be told again from the log, so nothing here waits for the disk; the log does.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from graphbus_core.storage.atomic_files import open_lines, write_all, write_atomic, write_new

# A position file of a long talk has some hundred thousand bytes. More is a mistake, and would be read on every
# command.
MAX_BYTES = 8_000_000  # of one file

Signature = tuple[int, int, int]  # inode, size, modification time in ns

# For a directory in a git repository: what is one machine's alone, and no line ending may be turned in a sealed log.
LOCAL = ("lock", "fetched", "beat", "seen-*.json", "spoken", "draft", "read-*.json", "answers.jsonl")
IGNORED = "".join(f"/.graphbus/{name}\n" for name in LOCAL) + "/.turn-started\n*.tmp\n"
ATTRIBUTES = "* -text\n"


class UnreadableFile(Exception):
    """A file that is there and cannot be taken; the message says why, `todo` what to do about it."""

    def __init__(self, what: str, todo: str = "Write it as a plain UTF-8 text.") -> None:
        super().__init__(what)
        self.todo = todo


def read_bytes(path: Path | str) -> bytes | None:
    """The whole file, or None where there is none. Raises UnreadableFile for a link, a device, or a file too large."""
    try:
        # O_NONBLOCK: somebody may have put a pipe there, and opening that would wait for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    # A component that is a file means the same to a reader: there is no such text.
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as e:
        # Nothing is followed: a link laid in a shared directory would let its author have our files read, or written.
        if e.errno == errno.ELOOP:
            raise UnreadableFile("it is a symbolic link", "Put a plain file in its place.") from None
        raise UnreadableFile(f"it cannot be opened ({e.strerror})", "Give the right to read it.") from None
    try:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            what = "it is a folder" if stat.S_ISDIR(info.st_mode) else "it is not a plain file"
            raise UnreadableFile(what, "Put a plain file in its place.")
        if info.st_size > MAX_BYTES:
            raise UnreadableFile(f"it is larger than {MAX_BYTES:,} bytes", "Make it smaller.")
        parts = []
        # In pieces until the end and not by the size: somebody may append between the two calls.
        while part := os.read(descriptor, 1 << 20):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def read_text(path: Path | str) -> str | None:
    """The file as text, or None where there is none. Raises UnreadableFile, also for what is not UTF-8."""
    data = read_bytes(path)
    if data is None:
        return None
    try:
        # Editors on Windows add a byte order mark and CRLF. Neither is a change of meaning, so neither may look like
        # one.
        decoded = data.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        line = data[: e.start].count(b"\n") + 1
        raise UnreadableFile(f"line {line} is not UTF-8") from None
    return decoded.replace("\r\n", "\n").replace("\r", "\n")


def read_signature(path: Path | str) -> Signature | None:
    """What changes when somebody writes the file; None where there is none."""
    # `lstat`: of a link the link is meant, which must be seen to be refused.
    try:
        info = os.lstat(path)
    except OSError:
        return None
    return info.st_ino, info.st_size, info.st_mtime_ns


def write(path: Path, content: str, scratch: Path) -> None:
    """Put `content` there in one step: a reader sees the old file or the new one, never a part.

    `scratch` is a folder on the same file system that nobody lists. Raises OSError; then the old file is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, content.encode(), scratch=scratch)


def create(path: Path, content: str, scratch: Path) -> bool:
    """Put `content` there unless there is something. Whole or not at all; False where somebody was first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_new(path, content.encode(), scratch=scratch)


def append(path: Path, content: str) -> None:
    """Add to the end in one write, so that what others append at the same instant stays."""
    descriptor = open_lines(path, follow=False)
    try:
        write_all(descriptor, content.encode())
    finally:
        os.close(descriptor)


def list_markdown(folder: Path | str) -> list[str]:
    """Names of the `.md` files in a folder, sorted; hidden ones and folders are left out."""
    try:
        with os.scandir(folder) as entries:
            return sorted(
                e.name
                for e in entries
                if e.name.endswith(".md") and not e.name.startswith(".") and not e.is_dir(follow_symlinks=False)
            )
    except (FileNotFoundError, NotADirectoryError):
        return []


def read_signatures(folder: str) -> list[tuple[str, int, int, int]]:
    """Name, inode, size and modification time of every `.md` file in a folder, sorted."""
    file_signatures = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".md"):
                    info = entry.stat(follow_symlinks=False)
                    file_signatures.append((entry.name, info.st_ino, info.st_size, info.st_mtime_ns))
    except OSError:  # a folder or a file that is just going away
        # What was found so far is good enough: the signature differs from the last, and that is all it is for.
        return sorted(file_signatures)
    return sorted(file_signatures)
