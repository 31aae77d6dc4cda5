"""The port behind which a kept type checker stands. Ours on top never knows which one it is.

An engine reads; it runs none of the project's code and asks no network. Places count lines from 1 and columns in UTF-8
bytes from 0, as `ast` does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

IGNORES = re.compile(
    rb"#.*\b(?:type:\s*ignore|ty:\s*ignore|pyright:\s*(?:ignore|basic)|pyrefly:\s*ignore|mypy:\s*ignore)|@(?:typing\.)?no_type_check\b"
)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A token in a file; the path is relative to the root, absolute where it lies outside."""

    path: str
    line: int
    column: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One finding of the checker. Two findings are the same if file and text are: lines move."""

    path: str
    line: int
    rule: str
    message: str

    @property
    def key(self) -> tuple[str, str]:
        """What makes it the same finding after an edit."""
        return self.path, self.message

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message} ({self.rule})"


class Engine(Protocol):
    """A type checker. Raises EngineFailed where it gives no answer in its time."""

    name: str

    def diagnostics(self, root: Path, only: Sequence[str] = ()) -> tuple[Diagnostic, ...]:
        """Every finding in a tree; with `only`, those in these files of it."""

    def definition(self, place: Place) -> tuple[Place, ...]:
        """Where what stands at a place is defined; empty where the engine cannot tell."""

    def implementations(self, place: Place) -> tuple[Place, ...]:
        """The methods that implement or override the one at a place, itself with them."""

    def types(self, expressions: Sequence[Place]) -> tuple[str | None, ...]:
        """The types of what stands at places, as the engine writes them; None where it cannot tell."""

    def show(self, path: str, text: bytes) -> None:
        """From now on, this text counts for a file."""

    def close(self) -> None:
        """End it."""


class EngineFailed(Exception):
    """The engine gave no answer; the message says why, for "types: not run (why)"."""


def new_findings(
    before: Iterable[Diagnostic], after: Iterable[Diagnostic], renamed: Mapping[str, str] | None = None
) -> tuple[Diagnostic, ...]:
    """What a change added, by file and text, each as often as it came to be there.

    `renamed`: names that the change gives to fields, old -> new; an old finding speaks of them by the new one.
    """
    had = Counter((one.path, _spoken(one.message, renamed or {})) for one in before)
    found = []
    for one in sorted(after):
        key = (one.path, _spoken(one.message, renamed or {}))
        if had[key] > 0:
            had[key] -= 1
        else:
            found.append(one)
    return tuple(found)


def _spoken(message: str, renamed: Mapping[str, str]) -> str:
    return re.sub(r"\w+", lambda word: renamed.get(word[0], word[0]), message) if renamed else message


def added_ignores(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> tuple[str, ...]:
    """`file:line` of each comment that a change adds to silence a checker."""
    found = []
    for path, text in sorted(after.items()):
        had = Counter(_ignoring(before.get(path, b"")))
        for number, line in enumerate(text.splitlines(), 1):
            if IGNORES.search(line):
                if had[line.strip()] > 0:
                    had[line.strip()] -= 1
                else:
                    found.append(f"{path}:{number}")
    return tuple(found)


def _ignoring(text: bytes) -> list[bytes]:
    return [line.strip() for line in text.splitlines() if IGNORES.search(line)]
