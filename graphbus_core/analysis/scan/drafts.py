"""What was read of a file, kept by digest: a file is read again when it changed, or when a module it rests on did.

In memory for a scan after a scan (the gates of a commit), and as lines of JSON in `.graphbus/cache/` for a build after
a build. The file is sealed (`files.seal`): a line that another program edited would be frozen into a build as what the
source says. A cache that cannot be read, or that was not written by this user here, is not a cache, and never an error.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphbus_core.artifacts.peers import NO_USES, Uses
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.storage.signing import derive_seal, read_sealed_file

VERSION = 10
PURPOSE = "scan cache"


@dataclass(frozen=True)
class ScannedFile:
    """One file as read: the drafts in it, its imports, and each module that was asked for with its digest then.

    A draft is the text of its agent in the form of `agents.json`, what is open about it, and what it uses. `line`
    is the reading as it stands in the cache's file, so that what did not change is not written out anew.
    """

    path: str
    digest: str
    name: str
    drafts: Sequence[tuple[str, Sequence[Mapping[str, Any]], Sequence[Any]]]
    imports: Sequence[str]
    consulted: Mapping[str, str | None]  # dotted name -> "path digest"; None: there was no such module
    line: str = field(default="", compare=False, repr=False)

    def to_line(self) -> str:
        """The reading as one line: JSON texts with tabs between them, so that the long ones are parsed once."""
        if self.line:
            return self.line
        head = json.dumps((self.path, self.digest, self.name, self.imports, self.consulted))
        rest = (part for text, open_, uses in self.drafts for part in (text, json.dumps(open_), json.dumps(uses)))
        return "\t".join([head, *rest])


class ScanCache:
    """Readings by path."""

    def __init__(self, file: Path | None = None, stamp: str = "") -> None:
        self._file = file
        self._stamp = f"graphbus scan {VERSION} {stamp}"
        self._dirty = False
        self.readings: dict[str, ScannedFile] = {}
        self._restored: dict[str, tuple[ScannedFile, list[Draft]]] = {}
        if file is not None:
            self._load(file)

    def store(self, reading: ScannedFile) -> None:
        """Keep what was read of a file."""
        self.readings[reading.path] = reading
        self._dirty = True

    def restore_drafts(self, reading: ScannedFile) -> list[Draft]:
        """The drafts of a file that did not change: the same objects from one scan to the next, where nothing of them
        is open, so that who compares two scans sees at once what is one."""
        reading_before, drafts = self._restored.get(reading.path, (None, []))
        if reading_before is not reading:
            drafts = [
                Draft(
                    AgentDefinition.from_dict(json.loads(text)),
                    [OpenSlot(**o) for o in open_],
                    text,
                    Uses.from_list(uses),
                )
                for text, open_, uses in reading.drafts
            ]
            if not any(draft.open for draft in drafts):
                self._restored[reading.path] = (reading, drafts)
        return drafts

    def save(self) -> None:
        """Write to disk what changed, whole or not at all."""
        if self._file is None or not self._dirty:
            return
        self._dirty = False
        seal = derive_seal(PURPOSE)
        if seal is None:
            return
        lines = [self._stamp, *(reading.to_line() for reading in self.readings.values())]
        content = seal.wrap("\n".join(lines).encode("utf-8", "surrogatepass"))
        with suppress(OSError):  # a folder that is only read: the next build reads the sources again
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(self._file, content)

    def _load(self, file: Path) -> None:
        try:
            if (body := read_sealed_file(file, PURPOSE)) is None:
                return
            lines = body.decode("utf-8", "surrogatepass").split("\n")
            if lines[0] == self._stamp:
                self.readings = {r.path: r for r in map(_parse_reading, lines[1:])}
        except (ValueError, TypeError):
            self.readings = {}


def _parse_reading(line: str) -> ScannedFile:
    head, *parts = line.split("\t")  # JSON escapes every tab and newline of its own
    path, digest, name, imports, consulted = json.loads(head)
    drafts = [
        (text, json.loads(open_) if open_ != "[]" else [], json.loads(uses) if uses != "[]" else [])
        for text, open_, uses in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]
    return ScannedFile(path, digest, name, drafts, imports, consulted, line)


# What was read of one node class before every name in it is known, and what only an import can tell of it.


@dataclass(frozen=True)
class OpenSlot:
    """Something that only an import can tell. `slot` says what: `class`, `method:clean:input`, `prompt`, …"""

    slot: str
    lineno: int
    reason: str


@dataclass
class Draft:
    """A definition whose `depends_on` may still hold `module:Class`, and what is open about it."""

    agent: AgentDefinition
    open: list[OpenSlot] = field(default_factory=list)
    text: str = ""  # the agent in the form of agents.json, where that is known
    uses: Uses = NO_USES  # of what lasts longer than an event, and other agents may use too
