"""What is found: a use of one side, and what the other side changed under it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Interference:
    """A use of one side, and what the other side changed under it. `soft`: a test that runs both answers it."""

    path: str
    line: int
    scope: str
    what: str
    there: str = ""  # where it was changed: `path:line`
    soft: tuple[tuple[str, str], ...] = ()  # (file, function) that a test must run, in order to answer it

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}" + (f" ({self.there})" if self.there else "")
