"""What tells bytes that were written here from bytes that came with an archive: a key that never leaves this machine.

A journal makes the next build write files, a cache of compiled code makes the next run execute it, a cache of readings
makes the next build believe them. Whoever can put a file into `.graphbus/` can put a digest beside it too, so a digest
proves nothing. The seal is a keyed digest (HMAC with SHA-256); the key lies outside of every project, readable for this
user alone. What the seal does not fit was not written by this user on this machine, and is not read.

Each purpose has a key of its own, derived from the one that is kept: bytes sealed as a cache are not a journal.
"""

from __future__ import annotations

import hmac
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

NAME = "journal.key"  # the first edition sealed nothing but journals
LENGTH = 32  # bytes
DIGITS = 64  # of a seal


@dataclass(frozen=True)
class Seal:
    """Seals with the first key, and knows its own seals by any of them."""

    keys: tuple[bytes, ...] = field(repr=False)

    def sign(self, body: bytes) -> bytes:
        """The seal of some bytes: DIGITS hexadecimal digits."""
        return _digest(self.keys[0], body)

    def fits(self, body: bytes, seal: bytes) -> bool:
        """Whether it was made here, of these bytes."""
        return any(hmac.compare_digest(_digest(key, body), seal) for key in self.keys)

    def wrap(self, body: bytes) -> bytes:
        """The bytes with their seal before them, as a file keeps them."""
        return self.sign(body) + b"\n" + body

    def unwrap(self, content: bytes) -> bytes | None:
        """The bytes behind the seal, or None where it does not fit them."""
        seal, newline, body = content[:DIGITS], content[DIGITS : DIGITS + 1], content[DIGITS + 1 :]
        return body if newline == b"\n" and self.fits(body, seal) else None


def load_machine_seal() -> Seal:
    """The seal of this user on this machine; its key is made where there is none. Raises OSError where none can be."""
    fault: OSError | None = None
    keys: list[bytes] = []
    for folder in _list_key_folders():
        key = _read_key(folder / NAME)
        if key is None and not keys:
            try:
                key = _make_key(folder)
            except OSError as e:
                fault = e
        keys += [key] if key is not None else []
    if not keys:
        raise OSError(f"no key for journals could be made in {' or '.join(map(str, _list_key_folders()))}: {fault}")
    return Seal(tuple(keys))


def derive_seal(purpose: str) -> Seal | None:
    """The seal for one purpose, or None where no key can be kept: then nothing can be sealed or believed."""
    try:
        keys = load_machine_seal().keys
    except OSError:
        return None
    return Seal(tuple(hmac.digest(key, purpose.encode(), "sha256") for key in keys))


def read_sealed_file(file: Path, purpose: str) -> bytes | None:
    """The bytes of a file behind the seal of this purpose. None: there is no such file, or the seal does not fit.

    An archive may hold a pipe under that name, and opening one would wait for ever: only a regular file is read.
    """
    seal = derive_seal(purpose)
    try:
        with open(os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as opened:
            regular = stat.S_ISREG(os.fstat(opened.fileno()).st_mode)
            return seal.unwrap(opened.read()) if seal is not None and regular else None
    except OSError:
        return None


def _list_key_folders() -> Iterator[Path]:
    """Where the key may lie: what XDG says, or a folder of ours that a reboot leaves alone."""
    home = os.environ.get("XDG_STATE_HOME") or ""
    with suppress(RuntimeError):
        yield (Path(home) if os.path.isabs(home) else Path.home() / ".local" / "state") / "graphbus"
    yield Path(f"/var/tmp/graphbus-{os.getuid()}")


def _read_key(file: Path) -> bytes | None:
    """A key that nobody else can have read or put there."""
    try:
        folder = os.lstat(file.parent)
        if not stat.S_ISDIR(folder.st_mode) or folder.st_uid != os.getuid() or folder.st_mode & 0o022:
            return None
        fd = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        status = os.fstat(fd)
        ours = stat.S_ISREG(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077
        key = os.read(fd, LENGTH + 1) if ours else b""
    except OSError:
        return None
    finally:
        os.close(fd)
    return key if len(key) == LENGTH else None


def _make_key(folder: Path) -> bytes:
    import secrets  # once on a machine; it loads more than all the rest here

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = folder / f".{NAME}.{secrets.token_hex(6)}"
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        try:
            os.write(fd, secrets.token_bytes(LENGTH))
            os.fsync(fd)
        finally:
            os.close(fd)
        with suppress(FileExistsError):  # another process was faster: its key is the one
            os.link(temporary, folder / NAME)
    finally:
        os.unlink(temporary)
    key = _read_key(folder / NAME)
    if key is None:
        raise PermissionError(f"{folder / NAME} is not a key that this user alone can read")
    return key


def _digest(key: bytes, body: bytes) -> bytes:
    return hmac.digest(key, body, "sha256").hex().encode()
