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
    side: int = -1  # whose use it is: 0 ours, 1 theirs; -1 where that cannot be told
    behind: tuple[str, str] | None = None  # (file, name) of what the use means in the merged tree
    is_value: bool = False  # the other side changed what a name stands for
    is_computed: bool = False  # the other side changed what a function does, the last of `soft`
    calls: bool = False  # the use stands in a function, which shows by what it does whether it minds

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}" + (f" ({self.there})" if self.there else "")
