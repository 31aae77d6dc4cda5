"""What became of an edit: `Edited`, `Unchanged` or `Refused`. Expected failure is a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from graphbus_core.model.operation import Operation


class Refusal(Exception):
    """Carries a refusal up to the applicator, which turns it into `Refused`. It never leaves this package."""

    def __init__(self, reason: str, lines: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.reason, self.lines = reason, lines


@dataclass(frozen=True)
class Edited:
    """The edit can be made: what each touched file was and becomes. A file of `created` was not there, and stands in
    `before` as an empty one; a file of `removed` goes, and stands in `after` as an empty one.
    """

    before: Mapping[str, bytes]
    after: Mapping[str, bytes]
    unchanged: tuple[Operation, ...] = ()  # operations that found their work done
    notes: tuple[str, ...] = field(default=())
    created: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()

    @property
    def resulting_files(self) -> dict[str, bytes | None]:
        """What the touched files become on the disk; None: the file goes."""
        return {path: None if path in self.removed else data for path, data in self.after.items()}


@dataclass(frozen=True)
class Unchanged:
    """There is nothing to do: everything that the operations ask for is so already."""

    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refused:
    """The edit is not made. `reason` is for its proposer; `lines` name the places, as `agents/cleaner.py:12`."""

    reason: str
    lines: tuple[str, ...] = ()
    operation: Operation | None = None

    def __str__(self) -> str:
        return f"{self.reason} ({', '.join(self.lines)})" if self.lines else self.reason


Outcome: TypeAlias = "Edited | Unchanged | Refused"
