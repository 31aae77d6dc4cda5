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
    facts, hashed, sound, number, last, seen_at_head = 0, "", 0, 0, "", None
    header: dict[str, Any] | None = None
    damage: Damage | None = None
    if path.exists():
        with path.open("rb") as lines:
            for line in lines:
                number += 1
                found = _line(line, number, facts, hashed, header)
                if isinstance(found, Damage):
                    damage = found
                    # Nothing behind the first damage is believed. Its chain cannot be checked without what stands
                    # before.
                    break
                if isinstance(found, Sealed):
                    facts, hashed, last = found.seq, found.hash, found.kind
                    # The head must be the hash of that very fact, or a log of another run that is longer would pass.
                    if head is not None and facts == head.seq:
                        seen_at_head = hashed
                else:
                    header, hashed = found, genesis(str(found["protocol"]))
                    if head is not None and head.seq == 0:
                        seen_at_head = hashed
                sound += len(line)
    if head is not None and head.seq > facts:
        lost = head.seq - facts
        what = f"{damage.what}; " if damage else ""
        damage = Damage(number + (damage is None), f"{what}the log is {lost} facts shorter than its recorded head")
    elif head is not None and head.seq > 0 and seen_at_head != head.hash and damage is None:
        damage = Damage(number, "the log is not the one that its recorded head speaks of")
    elif damage is not None and head is not None and facts >= head.seq and _nothing_sound(path, sound):
        # The head proves that nothing which was ever relied on stands behind this line.
        damage = Damage(damage.line, damage.what, unfinished=True)  # garbage after all that was ever relied on
    return Inspection(header, facts, hashed, sound, damage, last, head)


def _line(
    line: bytes, number: int, facts: int, before: str, header: dict[str, Any] | None
) -> Sealed | dict[str, Any] | Damage:
    if not line.endswith(b"\n"):
        return Damage(number, "an unfinished write", unfinished=True)
    if header is None:
        found = unseal_object(line[:-1])
        if found is None or found.get("log") != FORMAT or "protocol" not in found:
            return Damage(number, "this is no log of GraphBus, or its header was altered")
        return found
    sealed = unseal(line[:-1])
    if sealed is None:
        return Damage(number, "altered")
    # Sequence and chain: a line of another log may have the right number, and a removed line leaves a gap.
    if sealed.seq != facts + 1 or chain(before, sealed.facts) != sealed.hash:
        return Damage(number, "it does not follow the line before it; it belongs to another log, or lines are missing")
    return sealed


def _nothing_sound(path: Path, sound: int) -> bool:
    """Whether no whole, unaltered line follows the sound part."""
    with path.open("rb") as file:
        file.seek(sound)
        # A whole sealed line behind garbage is no torn write: somebody edited the file, and that is never cut
        # unasked.
        return all(unseal(line[:-1]) is None for line in file)


class LogReader:
    """The facts of a log as far as it has grown. Iterating goes on where the last iteration stopped.

    An unfinished last line is left for later: its writer may be at work. Raises LogDamaged at an altered line.
    """

    def __init__(self, path: Path | str, events: Mapping[str, type[Event]], after: int = 0) -> None:
        self.path = Path(path)
        # A refused answer is a fact of the engine, in every protocol, so it is known to every reader.
        self.events: dict[str, type[Event]] = {AnswerRefused.kind: AnswerRefused, **events}
        self.after = after
        self.header: dict[str, Any] | None = None
        self._offset = 0
        self._number = 0
        self._facts = 0
        self._hash = ""

    @property
    def offset(self) -> int:
        """How many bytes of the file have been read."""
        return self._offset

    def __iter__(self) -> Iterator[Entry]:
        if not self.path.exists():
            return
        with self.path.open("rb") as lines:
            lines.seek(self._offset)
            for line in lines:
                found = _line(line, self._number + 1, self._facts, self._hash, self.header)
                if isinstance(found, Damage):
                    if found.unfinished:
                        # Not an error: its writer may be in the middle of this very line.
                        return
                    raise LogDamaged(f"{self.path}: {found}. The {self._facts} facts before it are sound.")
                self._number += 1
                self._offset += len(line)
                if not isinstance(found, Sealed):
                    self.header, self._hash = found, genesis(str(found["protocol"]))
                    continue
                self._facts, self._hash = found.seq, found.hash
                if found.seq > self.after:
                    yield Entry(found.seq, self._event(found), found.at)

    def _event(self, sealed: Sealed) -> Event:
        kind = self.events.get(sealed.kind)
        if kind is None:
            # A kind of a later edition cannot be folded. To pass it over would show a state that never was.
            raise LogDamaged(f"{self.path}: fact {sealed.seq} is a {sealed.kind}, which this version does not know.")
        return kind.from_dict(sealed.data())
