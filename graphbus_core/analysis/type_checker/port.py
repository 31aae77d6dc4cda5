"""The port behind which a kept type checker stands. Ours on top never knows which one it is.

An engine reads; it runs none of the project's code and asks no network. Places count lines from 1 and columns in UTF-8
bytes from 0, as `ast` does.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

CHECK_S = 120.0
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
    column: int = field(default=0, compare=False)  # in letters from 1; 0 where the engine does not say

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message} ({self.rule})"


class EngineFailed(Exception):
    """The engine gave no answer; the message says why, for "types: not run (why)"."""


class Engine:
    """A type checker, with its own settings in a folder of its own. Raises EngineFailed where it gives no answer."""

    name: str
    settings: str

    def __init__(self, root: Path, python: Path | None = None) -> None:
        self.root = root.resolve()
        self._python = python or find_environment(self.root)
        self._folder = tempfile.TemporaryDirectory(prefix="graphbus-types-")
        self._settings = Path(self._folder.name) / f"{self.name}.toml"
        self._settings.write_text(self.settings, "utf-8")

    def find_diagnostics(self, root: Path, only: Sequence[str] = ()) -> tuple[Diagnostic, ...]:
        """Every finding in a tree, or in some files of it, by the plain command line."""
        raise NotImplementedError

    def find_definition(self, place: Place) -> tuple[Place, ...]:
        """Where what stands at a place is defined; empty where the engine cannot tell."""
        return ()

    def show(self, path: str, text: bytes) -> None:
        """From now on, this text counts for a file, in questions about places."""

    def close(self) -> None:
        """End it, and take its settings away."""
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run_check(self, command: Sequence[str], root: Path) -> Any:
        """What a run of its command line prints, as JSON; None where it prints nothing."""
        try:
            process = subprocess.run(
                command, cwd=root, env=build_quiet_env(), capture_output=True, timeout=CHECK_S, check=False
            )
        except subprocess.TimeoutExpired as e:
            raise EngineFailed(f"{self.name} gave no answer in {CHECK_S:g} seconds") from e
        error_lines = process.stderr.decode("utf-8", "replace").strip().splitlines()
        try:
            printed = json.loads(process.stdout or b"null")
        except ValueError as e:
            raise EngineFailed(f"{self.name} failed: {error_lines[-1] if error_lines else process.returncode}") from e
        if process.returncode not in (0, 1):
            raise EngineFailed(f"{self.name} ended with {process.returncode}: {' '.join(error_lines)[:200]}")
        return printed


def find_program(name: str) -> str | None:
    """Where a program lies that was installed beside this Python; None where it was not."""
    name += sysconfig.get_config_var("EXE") or ""
    for folder in (sysconfig.get_path("scripts"), os.path.join(sys.prefix, "bin")):
        if os.access(path := os.path.join(folder, name), os.X_OK):
            return path
    return None


def find_environment(root: Path) -> Path:
    """The environment that the project's imports are looked up in: its own, else ours. Nothing in it is run."""
    own = root / ".venv"
    return own if (own / "pyvenv.cfg").is_file() else Path(sys.prefix)


def build_quiet_env() -> dict[str, str]:
    """An engine's surroundings: what finds programs and temporary files, and none of the user's keys or settings."""
    passed_names = ("PATH", "HOME", "TMPDIR", "LANG", "SYSTEMROOT")
    return {
        **{k: os.environ[k] for k in passed_names if k in os.environ},
        "NO_COLOR": "1",
        "XDG_CONFIG_HOME": os.devnull,
    }


def find_new_findings(
    before: Iterable[Diagnostic], after: Iterable[Diagnostic], renamed: Mapping[str, str] | None = None
) -> tuple[Diagnostic, ...]:
    """What a change added, by file and text, each as often as it came to be there.

    `renamed`: names that the change gives to fields, old -> new; an old finding speaks of them by the new one.
    """
    had = Counter((diagnostic.path, _rename_words(diagnostic.message, renamed or {})) for diagnostic in before)
    added = []
    for diagnostic in sorted(after):
        key = (diagnostic.path, _rename_words(diagnostic.message, renamed or {}))
        if had[key] > 0:
            had[key] -= 1
        else:
            added.append(diagnostic)
    return tuple(added)


def _rename_words(message: str, renamed: Mapping[str, str]) -> str:
    return re.sub(r"\w+", lambda word: renamed.get(word[0], word[0]), message) if renamed else message


def find_added_ignores(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> tuple[str, ...]:
    """`file:line` of each comment that a change adds to silence a checker."""
    places = []
    for path, text in sorted(after.items()):
        had = Counter(_list_ignores(before.get(path, b"")))
        for number, line in enumerate(text.splitlines(), 1):
            if IGNORES.search(line):
                if had[line.strip()] > 0:
                    had[line.strip()] -= 1
                else:
                    places.append(f"{path}:{number}")
    return tuple(places)


def _list_ignores(text: bytes) -> list[bytes]:
    return [line.strip() for line in text.splitlines() if IGNORES.search(line)]
