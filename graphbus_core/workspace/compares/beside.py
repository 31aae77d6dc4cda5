"""`contracts.toml` as it stands and as it would be: what was inferred beside what its owner wrote."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.build.scan import scan
from graphbus_core.build.scan.beside import Beside, Strangers
from graphbus_core.build.scan.beside.contracts_file import contracts_of, read_contracts
from graphbus_core.errors import ScanError

if TYPE_CHECKING:
    from graphbus_core.adopt import Inferred
    from graphbus_core.settings.effective import Settings


@dataclass(frozen=True)
class ProposedFile:
    """`new` begins with `old`, byte for byte. `entries`: how many are added."""

    path: Path
    old: str
    new: str
    entries: int

    def write(self) -> None:
        """Write it, whole or not at all."""
        from graphbus_core.files.whole import put_whole

        if self.new != self.old:
            put_whole(self.path, self.new.encode(), durable=True)


def proposed(found: Inferred, settings: Settings) -> ProposedFile:
    """The contracts file of a project with what was inferred. Raises ConfigError: the one there cannot be read."""
    path = (settings.root if settings.file else found.root) / settings["contracts_file"]
    there = read_contracts(path) if path.is_file() else None
    old = path.read_bytes().decode() if there else ""
    known = set(there.entries) if there else set()
    try:
        _tried(path, old, _more(found, known), settings)
    except Strangers as e:  # what the scan has no name for (a class in a function, a method under a condition)
        known |= e.names
    except ScanError:  # a file that does not parse: the rest cannot be tried, and may well be right
        pass
    more = _more(found, known)
    return ProposedFile(path, old, _joined(old, more), more.count('\n["') + more.startswith('["'))


def _more(found: Inferred, known: set[str]) -> str:
    from graphbus_core.adopt.source.contracts_file import contracts_file

    return contracts_file(found, known)


def _tried(path: Path, old: str, more: str, settings: Settings) -> None:
    """Read the project with the file as it would be. Raises ScanError for what it could not be read with."""
    if more:
        made = contracts_of(path, _joined(old, more).encode())
        scan(str(path.parent), beside=Beside(settings["components"], made))


def _joined(old: str, more: str) -> str:
    from graphbus_core.adopt.source.contracts_file import HEAD

    gap = HEAD + "\n" if not old else "\n" if old.endswith("\n") else "\n\n"
    return old + gap + more if more else old
