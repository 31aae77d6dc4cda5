"""Journals of runs: which there are, what stands in one, and one played back into the newest build."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from graphbus_core.artifacts import MANIFEST
from graphbus_core.errors import DeadlineExceeded, UsageError
from graphbus_core.runtime.kept.journal import payload_checks_of, read_journal
from graphbus_core.runtime.kept.journal_reading import JournalLine, check_header
from graphbus_core.runtime.kept.replay import chosen
from graphbus_core.workspace.shows.as_json import jsonable
from graphbus_core.workspace.shows.errors import Conflict, NotFound, nearest

MAX_TOLD = 20  # lines of what failed
NAME = re.compile(r"[\w.-]{1,120}\.jsonl")


class Journals:
    """The journals beside a build: those that a front end began, in `journals`, and those that a command put there.

    Only names are taken, never paths: nothing outside of these folders can be read.
    """

    def __init__(self, output_dir: Path) -> None:
        self.output_dir = output_dir
        self.folder = output_dir / "journals"

    def begin(self) -> str:
        """The path of a new one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return str(self.folder / f"run-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.jsonl")

    def all(self) -> list[dict[str, Any]]:
        """Every journal, newest first."""
        found = sorted(self._files().items(), key=lambda one: one[1].stat().st_mtime, reverse=True)
        return [
            {"id": name, "bytes": path.stat().st_size, "at": path.stat().st_mtime, "checks": payload_checks_of(path)}
            for name, path in found
        ]

    def read(self, name: str, start: int, limit: int, topics: Sequence[str] = ()) -> list[dict[str, Any]]:
        """What stands in one, oldest first; `depth` says under how many others it came about."""
        return list(islice(_told(chosen(read_journal(self._path(name)), topics)), start, start + limit))

    def replay(self, name: str, topics: Sequence[str], payload_checks: str | None, within_s: float) -> dict[str, Any]:
        """Play one into the newest build, in a process of its own. Raises Conflict without a build, DeadlineExceeded.

        A process: it is the project's code that runs, it may hang, and the program that runs here is not to notice.
        """
        path = self._path(name)
        if not (self.output_dir / MANIFEST).exists():
            raise Conflict("There is no build yet to play it into. Build first.")
        command = [sys.executable, "-m", "graphbus_core.cli.main", "replay", str(path.absolute()), "--json"]
        command += ["--to", str(self.output_dir.absolute())]
        command += [f"--topic={one}" for one in topics]
        command += [f"--payload-checks={payload_checks}"] if payload_checks else []
        environment = {key: value for key, value in os.environ.items() if key != "GRAPHBUS_TOKEN"}
        try:
            done = subprocess.run(
                command,
                cwd=self.output_dir.absolute().parent,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=within_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise DeadlineExceeded(f"{name} was not played within {within_s:g} s, and was stopped.") from None
        return _played(done.stdout, done.stderr)

    def _path(self, name: str) -> Path:
        files = self._files()
        if name not in files:
            raise NotFound(f"There is no journal {name!r}.{nearest(name, files)}")
        return files[name]

    def _files(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for folder in (self.folder, self.output_dir, self.output_dir.absolute().parent):
            for path in folder.glob("*.jsonl"):
                if NAME.fullmatch(path.name) and path.is_file() and not path.is_symlink() and _is_journal(path):
                    found.setdefault(path.name, path)
        return found


def _is_journal(path: Path) -> bool:
    try:
        with path.open("rb") as f:
            check_header(path, f.readline(1_000))
    except (OSError, UsageError):
        return False
    return True


def _told(records: Iterator[JournalLine]) -> Iterator[dict[str, Any]]:
    depth: dict[str, int] = {}
    for one in records:
        data: Mapping[str, Any] = one.data
        level = depth[one.id] = depth.get(one.cause or "", -1) + 1
        what = data["topic"] if one.kind == "event" else f"{data['dst']}.{data['method']}"
        told = {"id": one.id, "kind": one.kind, "what": what, "src": data["src"], "payload": jsonable(data["payload"])}
        yield {**told, "at": data.get("timestamp"), "cause": one.cause, "depth": level, "refused": one.refused}


def _played(out: str, err: str) -> dict[str, Any]:
    """What the command said. Nodes may print too: the last line is the command's own."""
    failures = [line.removeprefix("graphbus: ") for line in err.splitlines() if line.startswith("graphbus: ")]
    try:
        told = json.loads(out.strip().rpartition("\n")[2])
    except ValueError:
        raise UsageError(failures[-1] if failures else "It was not played, and nothing was said of it.") from None
    stats = told.pop("stats")
    return {**told, "errors": stats["errors"], "failures": failures[:MAX_TOLD]}
