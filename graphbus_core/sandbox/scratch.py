"""Copies of the project in which commits are tried out. Each is for one run of code, and is never looked into again.

What has been run may have made anything of its copy: links to your files where ours were, other tests than yours. So
this side writes a copy before code runs in it, and neither reads nor writes it afterwards; the next gate gets another.

Links are copied as links. What is not a source stays out: hidden folders, environments, build output; and so does what
usually holds a secret (`SECRET`). What the project's graph holds is always copied.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path

from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.sandbox.path_guard import open_beneath
from graphbus_core.storage.private_folders import open_private_folder

SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "venv", "env", "build", "dist", "htmlcov"})
# File names, without regard to case. Hidden files are kept from the copy as well, but for those that tools of a test
# run read: they say how, not who.
SECRET = (
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "*.ovpn",
    "*.env",
    "*.secret",
    "*.tfstate",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "credentials",
    "credentials.*",
    "secret.*",
    "secrets.*",
    "service-account*.json",
    "service_account*.json",
)
HIDDEN_KEPT = frozenset({".coveragerc", ".python-version", ".pylintrc", ".flake8"})
MAX_FILES = 20_000
MAX_BYTES = 500_000_000
# Files that running programs write on their own: that they change says nothing of what was proved.
VOLATILE_FILES = (
    "*.log",
    "*.db",
    "*.sqlite",
    "*.sqlite3",
    "*-journal",
    "*-wal",
    "*-shm",
    "*.pid",
    "*.tmp",
    "*.swp",
    "*~",
)

FileDigests = dict[str, str | None]  # path of a file that was copied -> its digest; None: two copies had different ones


@contextmanager
def create_scratch_copy(
    root: Path,
    changes: Mapping[str, bytes | None],
    leave_out: Path | None = None,
    keep: Collection[str] = (),
    digests: FileDigests | None = None,
) -> Iterator[Path]:
    """A copy of `root` with `changes` written into it (None: the file goes); gone afterwards. `keep`: paths of files
    that must be in it.

    `seen` is told what the copy was made of. Refusal where the project is too large, or no copy can be made.
    """
    with _refuse_on_error(root), open_private_folder("copy") as folder:
        target = folder / "project"
        copy_tree(root, target, leave_out, {*keep, *changes}, digests)
        for path, data in changes.items():
            if data is None:
                (target / path).unlink(missing_ok=True)
                continue
            with suppress(FileExistsError):  # `tests/`, where the change makes the first test of a project
                os.mkdir((target / path).parent, 0o700)
            fd = open_beneath(target, path, os.O_WRONLY | os.O_TRUNC | os.O_CREAT, 0o644)
            with os.fdopen(fd, "wb") as file:
                file.write(data)
        yield target


@contextmanager
def _refuse_on_error(root: Path) -> Iterator[None]:
    """What keeps a copy from being made ends the gate, and nothing more."""
    try:
        yield
    except OSError as e:
        full = e.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        rest = " Make room in the folder for temporary files, or set TMPDIR to another." if full else ""
        raise Refusal(f"no copy of {root} could be made or used to try the change out: {e}.{rest}") from e


def is_secret(name: str) -> bool:
    """Whether a file of this name is usually no source but a secret, or settings that may hold one."""
    plain = name.casefold()
    if name.startswith("."):
        return plain not in HIDDEN_KEPT
    return any(fnmatchcase(plain, pattern) for pattern in SECRET) and not plain.endswith(".py")


def copy_tree(
    root: Path,
    target: Path,
    leave_out: Path | None = None,
    keep: Collection[str] = (),
    digests: FileDigests | None = None,
) -> None:
    """Copy a project's folder. Raises Refusal where it is too large, OSError where the copy cannot be written.

    Of a root that holds the user's home, only what lies beside files of `keep` is copied. What may not be read stays
    behind: no code that runs as this user could read it.
    """
    files = size = 0
    target.mkdir(mode=0o700)
    needed = {folder for path in keep for folder in _list_parent_folders(path)}
    tops = {path.partition("/")[0] for path in keep} if _contains_home(root) else None
    waiting = [("", str(root), str(target))]
    while waiting:
        inside, source, to = waiting.pop()
        for entry in _list_entries(source):
            path = f"{inside}{entry.name}"
            place = os.path.join(to, entry.name)
            if tops is not None and not inside and entry.name not in tops:
                continue
            if entry.is_symlink():
                # The link itself is copied, never what it leads to: that may be a key, or half the disk.
                if not is_secret(entry.name):
                    os.symlink(os.readlink(entry.path), place)
                    if entry.name.endswith(".py"):
                        _record_digest(digests, path, _digest_link(entry.path))
            elif entry.is_dir():
                if path in needed or not _is_skipped(entry, leave_out):
                    os.mkdir(place, 0o700)
                    waiting.append((f"{path}/", entry.path, place))
            elif entry.is_file() and (path in keep or not is_secret(entry.name)):
                files += 1
                size += entry.stat().st_size
                _refuse_too_large(root, files, size)
                _record_digest(digests, path, _copy_file(entry.path, place))


def _list_entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        return list(os.scandir(folder))
    except PermissionError:
        return []


def _refuse_too_large(root: Path, files: int, size: int) -> None:
    if files > MAX_FILES or size > MAX_BYTES:
        raise Refusal(
            f"the project's folder {root} is too large to be copied ({files} files, {size >> 20} MB); "
            "move data and environments out of it."
        )


def _record_digest(digests: FileDigests | None, path: str, digest: str | None) -> None:
    if digests is not None and digest is not None and not any(fnmatchcase(path, p) for p in VOLATILE_FILES):
        digests[path] = digest if digests.get(path, digest) == digest else None


def find_changes_since(root: Path, digests: Mapping[str, str | None], listed: Collection[str]) -> list[str]:
    """The files that are no longer what the copies were made of; and those of `listed` that no copy had."""
    changed = [path for path, digest in digests.items() if digest is None or _digest_file(root / path) != digest]
    return sorted({*changed, *(path for path in listed if path not in digests)})


def _digest_file(file: Path) -> str | None:
    """A plain file's digest, or that of where a link leads; None where there is neither any more."""
    try:
        fd = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return _digest_link(file)
    with os.fdopen(fd, "rb") as reading:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        return hashlib.file_digest(reading, "sha256").hexdigest()


def _digest_link(file: Path | str) -> str | None:
    try:
        return hashlib.sha256(b"link to " + os.fsencode(os.readlink(file))).hexdigest()
    except OSError:
        return None


def _copy_file(source: str, to: str) -> str | None:
    """Copy one file; gives the digest of what was read, None where there was nothing to read."""
    try:
        fd = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except PermissionError:
        return None
    except OSError as e:
        if e.errno in (errno.ELOOP, errno.ENOENT):  # it became a link, or went, a moment ago
            return None
        raise
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            return None
        checksum = hashlib.sha256()
        # Plain calls of the system: a project has a thousand small files, and each gate that runs code wants a copy.
        copy = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            while chunk := os.read(fd, 1 << 20):
                checksum.update(chunk)
                while chunk:
                    chunk = chunk[os.write(copy, chunk) :]
            os.fchmod(copy, stat.S_IMODE(status.st_mode) & 0o777 | 0o600)
            os.utime(copy, ns=(status.st_atime_ns, status.st_mtime_ns))
        finally:
            os.close(copy)
        return checksum.hexdigest()
    finally:
        os.close(fd)


def _contains_home(root: Path) -> bool:
    try:
        return Path.home().resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        return False


def _list_parent_folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: i + 1]) for i in range(len(parts))]


def _is_skipped(entry: os.DirEntry[str], leave_out: Path | None) -> bool:
    if entry.name in SKIPPED or entry.name.startswith("."):
        return True
    if leave_out is not None and entry.path == str(leave_out):
        return True
    return os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))
