"""The pins of a repository: which version of which contract it holds to, by hash, one line a pin."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from graphbus_core.errors import UsageError
from graphbus_core.sessions.contract_file import SIDES, SUFFIX
from graphbus_core.storage.atomic_files import write_atomic

LOCK = "contracts.lock"
_TARGET = re.compile(r"(?P<source>.+)#(?P<name>[^#@/\\\x00-\x1f\x7f]+)(?:@v?(?P<version>[0-9]{1,9}))?")
_SCP = re.compile(r"[\w.-]+@[\w.-]+:")  # git's short form of ssh


@dataclass(frozen=True)
class Pin:
    """One line of the lock. `source` is a repository; empty where `file` is in this one. `shows` is what this side
    shows of its code. `peer` is the repository of the other side, where that is not the source."""

    name: str
    version: int
    hash: str
    side: str
    source: str
    file: str
    branch: str = ""
    shows: tuple[str, ...] = ()
    peer: str = ""

    @property
    def label(self) -> str:
        """`orders@2`."""
        return f"{self.name}@{self.version}"


@dataclass(frozen=True)
class Target:
    """What `URL-OR-PATH#NAME@VERSION` names. `version` None: the newest. `source` empty: a file of this repository."""

    source: str
    file: str  # "" where it is looked for by its name
    name: str
    version: int | None


def parse_target(text: str, folder: Path) -> Target:
    """Read `URL-OR-PATH#NAME@VERSION`. Raises UsageError."""
    match = _TARGET.fullmatch(text)
    if match is None or match["source"].startswith("-"):
        raise UsageError(f"{text!r} names no contract; write URL-OR-PATH#NAME@VERSION, as ../shop#orders@2.")
    source, name = match["source"], match["name"]
    version = int(match["version"]) if match["version"] else None
    check_address(source)
    if "://" in source or _SCP.match(source):
        return Target(source, "", name, version)
    path = (folder / source).resolve()
    if path.is_dir() and not (path / f"{name}{SUFFIX}").is_file() and _is_repository(path):
        return Target(source, "", name, version)
    file = path if path.is_file() else path / f"{name}{SUFFIX}"
    if not file.is_file():
        raise UsageError(f"{source} is neither a repository nor a folder with {name}{SUFFIX}. Look at the path again.")
    root, own = _find_repository(file.parent), _find_repository(folder.resolve())
    if root is not None and root != own:
        return Target(str(root), file.relative_to(root).as_posix(), name, version)
    return Target("", _name_from(file, folder), name, version)


def check_address(text: str) -> None:
    """Whether a repository's address may stand in the lock. Raises UsageError."""
    if text.startswith("-"):
        raise UsageError(f"{text!r} is not the address of a repository.")
    if urlsplit(text).password:
        raise UsageError(
            "The address holds a password, and the lock stands in git. Let git's credential helper give it."
        )


def _is_repository(path: Path) -> bool:
    return (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir())


def _find_repository(folder: Path) -> Path | None:
    return next((parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), None)


def _name_from(file: Path, folder: Path) -> str:
    try:
        return file.relative_to(folder.resolve()).as_posix()
    except ValueError:
        return str(file)


def read_lock(folder: Path) -> list[Pin]:
    """The pins of a repository. Raises UsageError for a line of another form, and for two pins of one contract."""
    file = folder / LOCK
    if not file.is_file():
        return []
    pins: list[Pin] = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if line.strip():
            pins.append(_read_line(line, f"{file}, line {number}"))
    seen: set[tuple[str, str]] = set()
    for pin in pins:
        if (pin.name, pin.side) in seen:
            raise UsageError(f"{file} pins {pin.name} twice as {pin.side}. Keep one line; a merge left the other.")
        seen.add((pin.name, pin.side))
    return pins


def _read_line(line: str, place: str) -> Pin:
    try:
        data = json.loads(line)
        pin = Pin(**{**data, "shows": tuple(data.get("shows", ()))})
        is_pin = pin.side in SIDES and type(pin.version) is int and pin.version > 0 and pin.hash.startswith("sha256:")
        texts = (pin.name, pin.source, pin.file, pin.branch, pin.peer, *pin.shows)
        is_pin = is_pin and all(isinstance(text, str) for text in texts)
    except (ValueError, TypeError, AttributeError):
        is_pin = False
    if not is_pin:
        raise UsageError(f"{place} is not a pin. Take it back from git, or pin anew: `graphbus contracts pin`.")
    return pin


def write_pin(folder: Path, pin: Pin) -> Path:
    """Put a pin into the lock, in place of one of the same contract and side."""
    others = [other for other in read_lock(folder) if (other.name, other.side) != (pin.name, pin.side)]
    pins = sorted([*others, pin], key=lambda one: (one.name, one.side))
    text = "".join(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in pins)
    write_atomic(folder / LOCK, text.encode(), durable=True)
    return folder / LOCK
