"""How far a change reaches: which files of the project it may be followed into, and which are only read.

Edited are the agents' files, and every other Python file below the scan's root that git tracks (without git: that lies
there). Read and never written are `conftest.py`, stubs, notebooks, what git does not track, what lies in the project
but outside of the scan's root, settings and shell scripts: a use of what changes in one of them refuses the change,
with its line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from graphbus_core.build.confine.door import forbidden
from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.other_files import speaking
from graphbus_core.build.scan import Project as Scanned
from graphbus_core.build.scan.source.namespaces import absolute
from graphbus_core.build.understand import Project
from graphbus_core.build.understand.text.files import module_of, package_of
from graphbus_core.files.git import run_git
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.operation import (
    DeleteMethod,
    FieldOperation,
    Operation,
    RemoveField,
    RenameField,
    RenameMethod,
)

GIT_S = 10.0
MAX_FOLLOWED = 50  # files that change only because a change is followed into them
SHOWN = 8


@dataclass(frozen=True)
class Reach:
    """The files of a scanned project, as a change may meet them. Read when first asked."""

    scanned: Scanned

    @cached_property
    def _understood(self) -> Project:
        return Project.around(self.scanned.root, self.scanned.agents, root=self.scanned.whole)

    @property
    def whole(self) -> Path:
        """The root of the whole project."""
        return self._understood.root

    @cached_property
    def prefix(self) -> str:
        """The way from there to the scan's root: "" or `agents/`."""
        inner = self.scanned.root.resolve().relative_to(self._understood.root).as_posix()
        return "" if inner == "." else f"{inner}/"

    @cached_property
    def editable(self) -> tuple[str, ...]:
        """The files that may be edited, relative to the scan's root."""
        own = {path for path in self.scanned.files if path.endswith(".py")}
        tracked = _tracked(self.scanned.root)
        for path in self._understood.texts.paths:
            inner = path.removeprefix(self.prefix)
            if path.startswith(self.prefix) and forbidden(inner) is None and (tracked is None or inner in tracked):
                own.add(inner)
        return tuple(sorted(own))

    @cached_property
    def beyond(self) -> tuple[str, ...]:
        """The files that are only read, relative to the project's root."""
        own = {self.prefix + path for path in self.editable}
        return tuple(path for path in self._understood.texts.paths if path not in own)

    def refuse(self, diff: Iterable[Operation]) -> None:
        """Raise Refusal where a file that is only read speaks of what a diff takes away."""
        for op in diff:
            words = _words(op)
            if words is None or op.method is None:
                continue
            if torn := self._torn(words):
                raise Refusal(
                    f"{op.symbol} may be used in files that do not parse, so nobody can tell. Mend them first.",
                    tuple(torn[:SHOWN]),
                )
            places = [place for path in self.beyond for place in self._places(path, op.node, op.method, words)]
            places += speaking(self._understood.texts, self._agents(op.node), op.method, words)
            if places:
                more = f" (and {len(places) - SHOWN} more)" if len(places) > SHOWN else ""
                untracked = sorted({p.rpartition(":")[0] for p in places if self._is_untracked(p.rpartition(":")[0])})
                why = f" Git does not track {', '.join(untracked[:SHOWN])}: `git add` lets a change reach it."
                raise Refusal(
                    f"{op.symbol} is used in files that are read and never written{more}.{why if untracked else ''} "
                    "Change them first.",
                    tuple(places[:SHOWN]),
                )

    def importing(self, path: str) -> list[str]:
        """The files that import this one of the scan's, relative to the project's root."""
        home, texts = self.prefix + path, self._understood.texts
        names = {module_of(home), self.scanned.layout.module_name(path)}
        words = [name.rpartition(".")[2].encode() for name in names]
        return [
            one
            for one in texts.paths
            if one != home
            and any(word in texts.content(one) for word in words)
            and not names.isdisjoint(_imported(texts.content(one), package_of(one)))
        ]

    def _is_untracked(self, path: str) -> bool:
        """Whether nothing but git keeps a file from being followed into."""
        inner = path.removeprefix(self.prefix)
        tracked = _tracked(self.scanned.root)
        inside = path.startswith(self.prefix) and path.endswith(".py")
        return inside and tracked is not None and inner not in tracked and forbidden(inner) is None

    def _places(self, path: str, node: str, method: str, words: Sequence[str]) -> Iterator[str]:
        text = self._content(path)
        lines = _speaking(text, path, words)
        if not lines:
            return
        if path.endswith(".pyi"):
            if any(a.class_name.rpartition(".")[2].encode() in text for a in self._agents(node)):
                yield from lines
            return
        own = [use for use in self._understood.uses(f"{node}.{method}") if use.place.rpartition(":")[0] == path]
        if any(use.whose in ("ours", "unknown") for use in own):
            yield from lines

    def _content(self, path: str) -> bytes:
        return self._understood.texts.content(path)

    def _torn(self, words: Sequence[str]) -> list[str]:
        """Lines of files that are not Python of this version: half merged, of Python 2, a notebook with a torn cell."""
        texts = self._understood.texts
        told = {path: lines for path in texts.paths if (lines := _speaking(self._content(path), path, words))}
        return [line for path, lines in told.items() if texts[path].problem for line in lines]

    def _agents(self, node: str) -> list[AgentDefinition]:
        return [a for a in self.scanned.agents if a.name == node]


def is_test_file(path: str) -> bool:
    """Whether pytest would look for tests in a file of this name."""
    name = PurePosixPath(path).name
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


def _imported(text: bytes, package: str) -> Iterator[str]:
    """Every module that a text may import, by its dotted name; what is no module is among them too."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for at in ast.walk(tree):
        if isinstance(at, ast.Import):
            yield from (alias.name for alias in at.names)
        elif isinstance(at, ast.ImportFrom):
            base = absolute(at, package)
            yield from (base, *(f"{base}.{alias.name}" for alias in at.names))


def _words(op: Operation) -> tuple[str, ...] | None:
    """The word that goes, and what must stand beside it in a file that means it; None where nothing goes."""
    if isinstance(op, RenameField | RemoveField) and op.method is not None:
        return op.field.rpartition(".")[2].removesuffix("[]"), op.method
    if isinstance(op, RenameMethod | DeleteMethod) and op.method is not None and not isinstance(op, FieldOperation):
        return (op.method,)
    return None


def _speaking(text: bytes, path: str, words: Sequence[str]) -> list[str]:
    """The lines with the first of the words, in a text that has them all."""
    first, *others = (re.compile(rb"\b" + re.escape(word.encode()) + rb"\b") for word in words)
    if not all(other.search(text) for other in others):
        return []
    return [f"{path}:{number}" for number, line in enumerate(text.splitlines(), 1) if first.search(line)]


def _tracked(root: Path) -> frozenset[str] | None:
    """The files below a folder that git tracks; None without git."""
    if not any((folder / ".git").exists() for folder in (root, *root.parents)):
        return None
    try:
        done = run_git(root, "ls-files", "-z", timeout_s=GIT_S)
    except OSError:
        return None
    return frozenset(done.stdout.decode("utf-8", "surrogateescape").split("\0")) if done.returncode == 0 else None
