"""Reading a log without writing it: whole, verified, or as it grows. Takes no lock.

Damage is told apart by what it says: an *unfinished* last write (a crash; nothing that was relied on is lost), an
altered line, a line of another log, a log shorter than its head.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import LogDamaged
from graphbus_core.files.sealed import FORMAT, Sealed, chain, genesis, unseal, unseal_object
from graphbus_core.negotiation.core import AnswerRefused, Entry, Event
from graphbus_core.stores.head import Head, read_head


@dataclass(frozen=True)
class Damage:
    """What is wrong, and where. `unfinished`: the end of a write that never ended; nothing else was lost."""

    line: int  # from 1, the header counted
    what: str
    unfinished: bool = False

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}"


@dataclass(frozen=True)
class Inspection:
    """What a log file holds, up to the first damage."""

    header: dict[str, Any] | None
    facts: int
    hash: str
    sound_bytes: int
    damage: Damage | None
    last_kind: str = ""
    head: Head | None = None


def inspect_log(path: Path) -> Inspection:
    """Verify every line of a log: checksum, chain, and the recorded head."""
    # Read before the log: read after it, a log that grew meanwhile would seem shorter than its head.
    head = read_head(path)
    log, last, seen_at_head = Sound(), "", None
    damage: Damage | None = None
    if path.exists():
        with path.open("rb") as lines:
            for line in lines:
                found = log.look(line)
                if isinstance(found, Damage):
                    damage = found
                    # Nothing behind the first damage is believed. Its chain cannot be checked without what stands
                    # before.
                    break
                log.add(line, found)
                if isinstance(found, Sealed):
                    last = found.kind
                # The head must be the hash of that very fact, or a log of another run that is longer would pass.
                if head is not None and log.facts == head.seq:
                    seen_at_head = log.hash
    if head is not None and head.seq > log.facts:
        lost = head.seq - log.facts
        what = f"{damage.what}; " if damage else ""
        damage = Damage(log.lines + 1, f"{what}the log is {lost} facts shorter than its recorded head")
    elif head is not None and head.seq > 0 and seen_at_head != head.hash and damage is None:
        damage = Damage(log.lines, "the log is not the one that its recorded head speaks of")
    elif damage is not None and head is not None and log.facts >= head.seq and _nothing_sound(path, log.size):
        # The head proves that nothing which was ever relied on stands behind this line.
        damage = Damage(damage.line, damage.what, unfinished=True)  # garbage after all that was ever relied on
    return Inspection(log.header, log.facts, log.hash, log.size, damage, last, head)


class Sound:
    """The sound beginning of a log, line by line: the one place that says whether a line follows from those before.

    `protocol`: that of the log, where the reader knows it; a log of another one is not a log of theirs.
    """

    def __init__(self, protocol: str | None = None) -> None:
        self.protocol = protocol
        self.header: dict[str, Any] | None = None
        self.hash = ""
        self.lines = self.facts = self.size = 0  # `size` in bytes

    def look(self, line: bytes) -> Sealed | dict[str, Any] | Damage:
        """The next line's fact, or the header; or what is wrong with it. It counts only with `add`."""
        number = self.lines + 1
        if not line.endswith(b"\n"):
            return Damage(number, "an unfinished write", unfinished=True)
        if self.header is None:
            found = unseal_object(line[:-1])
            if found is None or found.get("log") != FORMAT or "protocol" not in found:
                return Damage(number, "this is not a log of GraphBus, or its header was altered")
            if self.protocol not in (None, found["protocol"]):
                return Damage(number, f"this is not a log of a {self.protocol} negotiation")
            return found
        sealed = unseal(line[:-1])
        if sealed is None:
            return Damage(number, "altered")
        # Sequence and chain: a line of another log may have the right number, and a removed line leaves a gap.
        if sealed.seq != self.facts + 1 or chain(self.hash, sealed.facts) != sealed.hash:
            what = "it does not follow the line before it; it belongs to another log, or lines are missing"
            return Damage(number, what)
        return sealed

    def add(self, line: bytes, found: Sealed | dict[str, Any]) -> None:
        """Take the line that was looked at as a part of the log."""
        self.lines += 1
        self.size += len(line)
        if isinstance(found, Sealed):
            self.facts, self.hash = found.seq, found.hash
        else:
            self.header, self.hash = found, genesis(str(found["protocol"]))

    def wrote(self, content: bytes, header: dict[str, Any], facts: int, hashed: str) -> None:
        """What this process itself put behind it, and where the log stands then."""
        self.lines += content.count(b"\n")
        self.size += len(content)
        self.header, self.facts, self.hash = header, facts, hashed


def event_of(path: Path, sealed: Sealed, events: Mapping[str, type[Event]]) -> Event:
    """The fact that a sound line holds. Raises LogDamaged where these kinds of facts do not read it."""
    # A refused answer is a fact of the engine, in every protocol, so it is known to every reader.
    kind = AnswerRefused if sealed.kind == AnswerRefused.kind else events.get(sealed.kind)
    if kind is None:
        # A kind of a later edition cannot be folded. To pass it over would show a state that never was.
        raise LogDamaged(f"{path}: fact {sealed.seq} is a {sealed.kind}, which this version does not know.")
    return kind.from_dict(sealed.data())


def _nothing_sound(path: Path, sound: int) -> bool:
    """Whether no whole, unaltered line follows the sound part."""
    with path.open("rb") as file:
        file.seek(sound)
        # A whole sealed line behind garbage is not a torn write: somebody edited the file, and that is never cut
        # unasked.
        return all(unseal(line[:-1]) is None for line in file)


class LogReader:
    """The facts of a log as far as it has grown. Iterating goes on where the last iteration stopped.

    An unfinished last line is left for later: its writer may be at work. Raises LogDamaged at an altered line.
    """

    def __init__(self, path: Path | str, events: Mapping[str, type[Event]], after: int = 0) -> None:
        self.path = Path(path)
        self.events = events
        self.after = after
        self._sound = Sound()

    @property
    def offset(self) -> int:
        """How many bytes of the file have been read."""
        return self._sound.size

    def __iter__(self) -> Iterator[Entry]:
        if not self.path.exists():
            return
        with self.path.open("rb") as lines:
            lines.seek(self._sound.size)
            for line in lines:
                found = self._sound.look(line)
                if isinstance(found, Damage):
                    if found.unfinished:
                        # Not an error: its writer may be in the middle of this very line.
                        return
                    raise LogDamaged(f"{self.path}: {found}. The {self._sound.facts} facts before it are sound.")
                self._sound.add(line, found)
                if isinstance(found, Sealed) and found.seq > self.after:
                    yield Entry(found.seq, event_of(self.path, found, self.events), found.at)
