"""The files that a call is given and leaves behind: each call has a folder of its own, and sees no other call's files.

Runs confined, laid into a tree as a part of a package of its own: nothing here may import ours.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import shutil
import tempfile
from typing import Any

Recipe = list[Any]
MAX_FILES = 12
MAX_TEXT = 4000  # of one file
NAME = "<files>"  # stands for the folder where something is told


class Ground:
    """`recorded`: where the tests that are looked at have their files. `now`: where the call that runs has its own."""

    def __init__(self) -> None:
        self.recorded = ""
        self.now = ""
        self.writers: dict[str, list[str]] = {}  # file of the tests -> file and name of the code that wrote it

    def encode(self, value: Any) -> Recipe | None:
        """A recipe for a path below the folder of the tests, with what lies there, and which code put it there; None
        for another value."""
        if not self.recorded or not isinstance(value, str | pathlib.PurePath):
            return None
        text = os.fspath(value)
        if not text.startswith(self.recorded + os.sep):
            return None
        kind = "str" if isinstance(value, str) else "path"
        inner = text[len(self.recorded) + 1 :]
        writers = [who for file, who in sorted(self.writers.items()) if f"{file}{os.sep}".startswith(f"{text}{os.sep}")]
        return ["w", kind, inner, _read_files(text) if os.path.exists(text) else None, writers]

    def build(self, recipe: Recipe) -> Any:
        """The path that a recipe tells of, in the folder of this call, with its files."""
        _, kind, inner, files, _ = recipe
        full = os.path.join(self._open(), inner)
        os.makedirs(os.path.dirname(full) if files is None or "" in files else full, exist_ok=True)
        for name, text in (files or {}).items():
            path = os.path.join(full, name) if name else full
            os.makedirs(os.path.dirname(path), exist_ok=True)
            pathlib.Path(path).write_text(text)
        return full if kind == "str" else pathlib.Path(full)

    def _open(self) -> str:
        if not self.now:
            self.now = tempfile.mkdtemp()
        return self.now

    def look(self) -> dict[str, str]:
        """What lies in the folder of this call."""
        return _read_files(self.now) if self.now else {}

    def close(self) -> None:
        """The folder of this call ends."""
        if self.now:
            shutil.rmtree(self.now, ignore_errors=True)
        self.now = ""

    def hide(self, text: str) -> str:
        """A text without the name of the folder, which is another in each call."""
        return text.replace(self.now, NAME) if self.now else text


def _read_files(path: str) -> dict[str, str]:
    """The files below a path, by name; one that is not text by its hash."""
    if os.path.isfile(path):
        return {"": _read_file(path)}
    files: dict[str, str] = {}
    for folder, _, names in os.walk(path):
        for name in sorted(names):
            full = os.path.join(folder, name)
            if len(files) < MAX_FILES and os.path.isfile(full):
                files[os.path.relpath(full, path)] = _read_file(full)
    return files


def _read_file(path: str) -> str:
    data = pathlib.Path(path).read_bytes()
    try:
        return data[:MAX_TEXT].decode()
    except UnicodeDecodeError:
        return hashlib.sha256(data).hexdigest()


GROUND = Ground()
