"""Where a consent negotiation lives on disk: scenario files, the ledger `comms.md`, the output document, the runs.

A run keeps `log.jsonl`, `answers.jsonl` and `run.json` (what it started from) in `.graphbus/consent/<id>/`. The ledger
is append-only with one writer at a time (`flock`); each block is one write, so concurrent processes never mix lines.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graphbus_core.errors import ScenarioError, UsageError
from graphbus_core.negotiation.consent.scenario.model import Scenario
from graphbus_core.negotiation.consent.scenario.research_formats import is_domain, read_game, read_genius
from graphbus_core.negotiation.consent.scenario.yaml_format import read_scenario
from graphbus_core.storage.atomic_files import append, write_atomic
from graphbus_core.storage.locks import hold_lock

# Of a file that somebody sent: it is read whole, so its size has to be bounded before.
MAX_BYTES = 20_000_000
MAX_PROFILES = 100


# ---------------------------------------------------------------------- scenarios


def read_text(path: Path) -> str:
    """The file's text. Raises ScenarioError that names it."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ScenarioError(f"{path}:1: larger than {MAX_BYTES} bytes.")
        # `utf-8-sig`: editors on Windows write a byte order mark, which YAML would take for a part of the first key.
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as e:
        # GENIUS domains of the competitions declare Latin-1 or nothing at all. In XML every byte of it is a
        # character.
        if path.suffix == ".xml":
            return path.read_bytes().decode("latin-1")
        raise ScenarioError(f"{path}:1: this is not UTF-8 ({e.reason} at byte {e.start}).") from None
    except OSError as e:
        raise ScenarioError(f"{path}: cannot be read ({e.strerror or e}). Check the path.") from None


def load_scenario(path: Path) -> Scenario:
    """A scenario from a YAML file, an LLM-Deliberation game or a GENIUS domain (folder, or a file in it), as it is."""
    if path.is_dir():
        return _load_folder(path)
    if not path.exists():
        raise ScenarioError(f"{path}: there is no such file. Give a scenario file, a game's folder or an XML domain.")
    if path.suffix.lower() == ".xml":
        return _load_genius(path.parent, path)
    if path.name == "config.txt" or path.parent.name == "scores_files":
        return _load_folder(path.parent if path.name == "config.txt" else path.parent.parent)
    return read_scenario(read_text(path), str(path))


def resolve_scenario_file(path: Path) -> Path:
    """The scenario file that a folder stands for: the one in it, beside no game and no domain; else the path itself."""
    if not path.is_dir() or (path / "config.txt").is_file() or (path / "scores_files").is_dir():
        return path
    yaml_files = sorted(f for f in path.iterdir() if f.suffix in (".yaml", ".yml"))
    # Only where there is no doubt. With two files in the folder a guess would decide the wrong thing in earnest.
    return yaml_files[0] if len(yaml_files) == 1 and not any(path.glob("*.xml")) else path


def _load_folder(path: Path) -> Scenario:
    if (path / "config.txt").is_file() or (path / "scores_files").is_dir():
        files = {f.relative_to(path).as_posix(): read_text(f) for f in sorted(path.rglob("*.txt")) if f.is_file()}
        return read_game(files, str(path))
    if any(path.glob("*.xml")):
        return _load_genius(path, None)
    if (file := resolve_scenario_file(path)) != path:
        return load_scenario(file)
    raise ScenarioError(
        f"{path}: no scenario is here. A game has config.txt and scores_files/, a GENIUS domain its XML files; "
        "of scenario files (YAML) name the one you mean."
    )


def _load_genius(folder: Path, named_file: Path | None) -> Scenario:
    """The domain with all profiles beside it; a named profile alone is not a negotiation, so its folder is meant."""
    domain: tuple[str, str] | None = None
    profiles: dict[str, str] = {}
    for file in sorted(folder.glob("*.xml")):
        text = read_text(file)
        kind = is_domain(text)
        if kind is True and (domain is None or file == named_file):
            domain = (str(file), text)
        elif kind is False:
            profiles[str(file)] = text
        elif file == named_file:
            # It raises with the reason; a file that was named and cannot be read must not be passed over like its
            # neighbours.
            read_genius((str(file), text), {str(file): text})  # says what is wrong with it
    if len(profiles) > MAX_PROFILES:
        raise ScenarioError(f"{folder}: {len(profiles)} profiles; at most {MAX_PROFILES} sit at one table.")
    if len(profiles) < 2:
        raise ScenarioError(f"{folder}: {len(profiles)} utility profiles; a negotiation takes at least two.")
    return read_genius(domain, profiles)


# ---------------------------------------------------------------------- what is written


def check_writable(path: Path, where: str, replaced: bool = True) -> None:
    """Raise ScenarioError now, not after an hour of talk, if the file cannot be written. Creates its folder.

    `replaced`: it is written whole, beside its place, and put there, so its folder must be writable, and what stands
    there must be a plain file: a device (`/dev/null`) would be replaced by one.
    """
    # A name that no other process can have: two runs that check the same folder must not remove each other's probe.
    probe = path.parent / f".{path.name}.{secrets.token_hex(4)}"
    try:
        if path.is_dir():
            raise OSError(21, "it is a folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        if replaced and path.exists() and not path.is_file():
            raise OSError(22, "it is not a plain file")
        if path.exists() or path.is_symlink():
            # Opened as it will be, but for O_NONBLOCK: a pipe with no reader would hang here for ever.
            os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK))
        # A probe beside it, because the file itself must not exist before there is something to put into it.
        if replaced or not path.exists():
            os.close(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
            probe.unlink()
    except OSError as e:
        raise ScenarioError(f"{where}: {path} cannot be written ({e.strerror or e}). Name another file.") from None


def write_document(path: Path, text: str) -> None:
    """Write the document as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # A reader meets the old document or the new one, never half of one, also after a crash of the machine.
    write_atomic(path, text.encode(), durable=True)


class CommsLedger:
    """`comms.md`: append-only, one writer at a time, safe under concurrent processes."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def size(self) -> int:
        """How long it is: where the next negotiation begins."""
        return self.path.stat().st_size if self.path.exists() else 0

    def append(self, text: str) -> None:
        """Add a block, under the lock, after an empty line where there is none."""
        with self._lock() as fd:
            self._write(fd, text)

    def catch_up(self, start: int, blocks: list[str]) -> None:
        """After a restart: add those of our blocks that are not there yet. Others may have written between them."""
        with self._lock() as fd:
            size = os.fstat(fd).st_size
            # Bytes that are not UTF-8 are another writer's. They must not stop us from finding our own blocks.
            written_text = os.pread(fd, max(0, size - start), start).decode("utf-8", "replace") if size > start else ""
            position = 0
            for n, text in enumerate(blocks):
                # With the newline: a block may be the beginning of a longer one of another negotiation.
                match_start = written_text.find(text.strip() + "\n", position)
                if match_start < 0:
                    for missing in blocks[n:]:
                        self._write(fd, missing)
                    return
                # The search goes on behind the block, so that two equal blocks are found as two.
                position = match_start + len(text.strip())

    @contextmanager
    def _lock(self) -> Iterator[int]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # `wait_s=None`: the other writer holds the lock for one block, and a block that is lost is lost for the
        # reader.
        with hold_lock(self.path, str, append=True, wait_s=None) as fd:
            yield fd

    def _write(self, fd: int, text: str) -> None:
        size = os.fstat(fd).st_size
        tail = os.pread(fd, 2, max(0, size - 2)) if size else b"\n\n"
        # The seed shows answers of one check one below the other, without an empty line. Readers of first editions
        # rely on it.
        answer = text.startswith(("[CONSENT - ", "[OBJECT - "))
        gap = b"" if tail.endswith(b"\n\n") else b"\n" if tail.endswith(b"\n") else b"\n\n"
        if answer and gap == b"\n" and self._read_last_line(fd, size).startswith((b"[CONSENT - ", b"[OBJECT - ")):
            gap = b""
        append(fd, gap + text.strip().encode("utf-8", "replace") + b"\n")

    @staticmethod
    def _read_last_line(fd: int, size: int) -> bytes:
        # An answer is at most a few thousand bytes; the whole ledger would be read anew for every line otherwise.
        back = min(size, 30_000)
        lines = os.pread(fd, back, size - back).rstrip(b"\n").rsplit(b"\n", 1)
        return lines[-1]


# ---------------------------------------------------------------------- runs


@dataclass(frozen=True)
class Run:
    """The folder of one negotiation."""

    folder: Path

    @property
    def id(self) -> str:
        """Its id."""
        return self.folder.name

    @property
    def log(self) -> Path:
        """Its log of facts."""
        return self.folder / "log.jsonl"

    @property
    def answers(self) -> Path:
        """The replies it was given."""
        return self.folder / "answers.jsonl"

    def read_record(self) -> dict[str, Any]:
        """What it started from. Raises UsageError where that cannot be read."""
        try:
            data = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as e:
            raise UsageError(f"{self.folder / 'run.json'} cannot be read ({e}). Start a new negotiation.") from None
        if not isinstance(data, dict):
            raise UsageError(f"{self.folder / 'run.json'} is not a record of a negotiation.")
        return data

    def write_record(self, data: dict[str, Any]) -> None:
        """Write down what it starts from."""
        self.folder.mkdir(parents=True, exist_ok=True)
        # It may be started in any folder, also below one that a person removed since.
        write_document(self.folder / "run.json", json.dumps(data, indent=1, ensure_ascii=False) + "\n")


class Runs:
    """All runs below a project's `.graphbus/`."""

    def __init__(self, project: Path) -> None:
        self.folder = project / ".graphbus" / "consent"

    def create(self) -> Run:
        """A fresh one, by the time of its start."""
        stamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
        # The stamp is for people, the token for two runs that begin in the same second.
        run = Run(self.folder / f"consent-{stamp}-{secrets.token_hex(3)}")
        run.folder.mkdir(parents=True)
        return run

    def list_runs(self) -> list[Run]:
        """Oldest first."""
        if not self.folder.is_dir():
            return []
        runs = [Run(f) for f in self.folder.iterdir() if (f / "run.json").is_file()]
        # By the record and not by the folder: every answer touches the folder.
        return sorted(runs, key=lambda r: (r.folder / "run.json").stat().st_mtime_ns)

    def find(self, name: str | None) -> Run:
        """The run of that id (a beginning will do), or the latest. Raises UsageError."""
        runs = self.list_runs()
        if not runs:
            raise UsageError(f"No negotiation is kept in {self.folder}. Start one with `graphbus consent run`.")
        if name is None:
            return runs[-1]
        fitting = [r for r in runs if r.id.startswith(name)]
        # A prefix that fits two runs must not pick one: `consent resume` would go on with the wrong talk.
        if len(fitting) != 1:
            raise UsageError(
                f"{len(fitting)} negotiations are called {name!r}; there are {', '.join(r.id for r in runs[-5:])}."
            )
        return fitting[0]
