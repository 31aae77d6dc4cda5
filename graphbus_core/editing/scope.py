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

from graphbus_core.analysis import ProjectAnalysis
from graphbus_core.analysis.evidence.doctests import EXAMPLES, select_example_suffixes
from graphbus_core.analysis.files import ProjectFiles, derive_module, derive_package
from graphbus_core.analysis.scan import Project as Scanned
from graphbus_core.analysis.scan.namespaces import resolve_import
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.model.operation import (
    DeleteMethod,
    FieldOperation,
    Operation,
    RemoveField,
    RenameField,
    RenameMethod,
)
from graphbus_core.sandbox.path_guard import explain_forbidden
from graphbus_core.storage.git import run_git

# Files that are not Python and still call a method: an entry point, a settings file that names it, a shell script.
#
# They are never edited: nobody can tell what reads them. What would have to follow is named, and refuses the change.


DATA = (".toml", ".cfg", ".ini", ".yaml", ".yml", ".json", ".env")
SCRIPTS = (".sh", ".bash", ".zsh", ".bat", ".ps1", ".mk", "Makefile", "makefile", "justfile", "Dockerfile", "Procfile")


def find_mentions(
    texts: ProjectFiles, agents: Sequence[AgentDefinition], method: str, words: Sequence[str]
) -> Iterator[str]:
    """`file:line` of each line that calls or names the method of such an agent, and says the first of the words.

    `words`: what goes, and what must stand beside it. Data names a method by its module too
    (`shop.packing:Packer.pack`): else every report that speaks of it would count.
    """
    names = {agent.class_name.rpartition(".")[2] for agent in agents} | {agent.name for agent in agents}
    modules = {PurePosixPath(agent.source_file.removesuffix("/__init__.py")).stem for agent in agents}
    a_name, of_it = rf"\b(?:{_join_alternatives(names)})\b", rf"[.:]{re.escape(method)}\b"
    by_module = re.compile(rf"\b(?:{_join_alternatives(modules)})[.:]{a_name}{of_it}")
    name_pattern, call_pattern = re.compile(a_name), re.compile(rf"{a_name}{of_it}|\.{re.escape(method)}\s*\(")
    value = re.compile(rf"""(?:["']|[:=-][ \t]*){re.escape(method)}(?:["']|[ \t]*$)""", re.MULTILINE)
    gone = re.compile(rf"\b{re.escape(words[0])}\b")
    is_data = any(_COMPUTED.search(texts.read_content(path)) for path in texts.paths)  # a method's name is looked up
    contents = (texts.read_content(path) for path in texts.paths)
    is_run = any(
        _EXECUTED.search(content) and _READ.search(content) for content in contents
    )  # a text that is read is a program
    for path in (
        texts.iter_files(("",) if is_run else SCRIPTS + DATA + select_example_suffixes(texts)) if agents else ()
    ):
        if path in texts.paths:
            continue
        text = _read_text(texts, path, is_run)
        by_name = call_pattern if path.endswith(SCRIPTS + EXAMPLES) else value if is_data else None
        lines = gone if by_name and name_pattern.search(text) and by_name.search(text) else None
        if is_run and call_pattern.search(text):
            lines = gone
        if path.endswith(DATA) and words[0] == method:
            lines = lines or by_module
        if lines:
            yield from (f"{path}:{n}" for n, line in enumerate(text.splitlines(), 1) if lines.search(line))


def _read_text(texts: ProjectFiles, path: str, is_run: bool) -> str:
    """A file's text; of one with examples, their lines."""
    text = texts.read_content(path).decode("utf-8", "replace")
    if not path.endswith(EXAMPLES[:2] if is_run else EXAMPLES):
        return text
    return "".join(line if _PROMPT.match(line) else "\n" for line in text.splitlines(keepends=True))


_PROMPT = re.compile(r"\s*(?:>>>|\.\.\.)")
_EXECUTED = re.compile(rb"(?<![.\w])(?:exec|eval)\(")
_READ = re.compile(rb"\bread_text\b|\.read\(|\bopen\(")
_COMPUTED = re.compile(rb"""\b(?:getattr|methodcaller|attrgetter)\((?:[^,()]|\([^()]*\))*,\s*[^'"\s]""")


def _join_alternatives(words: Iterable[str]) -> str:
    return "|".join(sorted(re.escape(word) for word in words))


GIT_S = 10.0
MAX_FOLLOWED = 50  # files that change only because a change is followed into them
SHOWN = 8


@dataclass(frozen=True)
class EditScope:
    """The files of a scanned project, as a change may meet them. Read when first asked."""

    scanned: Scanned

    @cached_property
    def _analysis(self) -> ProjectAnalysis:
        return ProjectAnalysis.from_folder(self.scanned.root, self.scanned.agents, root=self.scanned.whole)

    @property
    def project_root(self) -> Path:
        """The root of the whole project."""
        return self._analysis.root

    @cached_property
    def prefix(self) -> str:
        """The way from there to the scan's root: "" or `agents/`."""
        inner = self.scanned.root.resolve().relative_to(self._analysis.root).as_posix()
        return "" if inner == "." else f"{inner}/"

    @cached_property
    def editable_files(self) -> tuple[str, ...]:
        """The files that may be edited, relative to the scan's root."""
        own = {path for path in self.scanned.files if explain_forbidden(path) is None}
        tracked = _list_tracked_files(self.scanned.root)
        for path in self._analysis.texts.paths:
            inner = path.removeprefix(self.prefix)
            if (
                path.startswith(self.prefix)
                and explain_forbidden(inner) is None
                and (tracked is None or inner in tracked)
            ):
                own.add(inner)
        return tuple(sorted(own))

    @cached_property
    def read_only_files(self) -> tuple[str, ...]:
        """The files that are only read, relative to the project's root."""
        own = {self.prefix + path for path in self.editable_files}
        return tuple(path for path in self._analysis.texts.paths if path not in own)

    def refuse_unreachable_uses(self, diff: Iterable[Operation]) -> None:
        """Raise Refusal where a file that is only read speaks of what a diff takes away."""
        for op in diff:
            words = _select_words(op)
            if words is None or op.method is None:
                continue
            if torn := self._find_unparsable_lines(words):
                raise Refusal(
                    f"{op.symbol} may be used in files that do not parse, so nobody can tell. Mend them first.",
                    tuple(torn[:SHOWN]),
                )
            places: list[str] = []
            for path in self.read_only_files:
                places += self._find_places(path, op.node, op.method, words)
                places += self._find_stand_ins(path, op.node, op.method)
            places += find_mentions(self._analysis.texts, self._find_agents(op.node), op.method, words)
            if places:
                more = f" (and {len(places) - SHOWN} more)" if len(places) > SHOWN else ""
                untracked = sorted({p.rpartition(":")[0] for p in places if self._is_untracked(p.rpartition(":")[0])})
                why = f" Git does not track {', '.join(untracked[:SHOWN])}: `git add` lets a change reach it."
                raise Refusal(
                    f"{op.symbol} is used in files that are read and never written{more}.{why if untracked else ''} "
                    "Change them first.",
                    tuple(places[:SHOWN]),
                )

    def find_importers(self, path: str) -> list[str]:
        """The files that import this one of the scan's, relative to the project's root."""
        home, texts = self.prefix + path, self._analysis.texts
        names = {derive_module(home), self.scanned.layout.name_module(path)}
        words = [name.rpartition(".")[2].encode() for name in names]
        return [
            other_path
            for other_path in texts.paths
            if other_path != home
            and any(word in texts.read_content(other_path) for word in words)
            and not names.isdisjoint(_iter_imported_modules(texts.read_content(other_path), derive_package(other_path)))
        ]

    def _is_untracked(self, path: str) -> bool:
        """Whether nothing but git keeps a file from being followed into."""
        inner = path.removeprefix(self.prefix)
        tracked = _list_tracked_files(self.scanned.root)
        inside = path.startswith(self.prefix) and path.endswith(".py")
        return inside and tracked is not None and inner not in tracked and explain_forbidden(inner) is None

    def _find_places(self, path: str, node: str, method: str, words: Sequence[str]) -> Iterator[str]:
        text = self._read_content(path)
        lines = _find_word_lines(text, path, words)
        if not lines:
            return
        if path.endswith(".pyi"):
            if any(a.class_name.rpartition(".")[2].encode() in text for a in self._find_agents(node)):
                yield from lines
            return
        own = [use for use in self._analysis.find_uses(f"{node}.{method}") if use.place.rpartition(":")[0] == path]
        if any(use.whose in ("ours", "unknown") for use in own):
            yield from lines

    def _find_stand_ins(self, path: str, node: str, method: str) -> Iterator[str]:
        """`setattr("shop.packing.Packer.pack", fake)`: what is put in its place has the parameters of today."""
        text = self._read_content(path)
        for agent in self._find_agents(node):
            cls = re.escape(agent.class_name.rpartition(".")[2].encode())
            named = rb"""["'](?:[\w.]+[.:])?(?:%b|%b)["']""" % (cls, re.escape(method.encode()))
            if re.search(rb"\b%b\b" % cls, text):
                for found in re.finditer(rb"\b(?:patch|setattr)\b[\w.]*\([^)]*" + named, text):
                    line = text.count(b"\n", 0, found.start()) + 1
                    yield f"{path}:{line}"

    def _read_content(self, path: str) -> bytes:
        return self._analysis.texts.read_content(path)

    def _find_unparsable_lines(self, words: Sequence[str]) -> list[str]:
        """Lines of files that are not Python of this version: half merged, of Python 2, a notebook with a torn cell."""
        texts = self._analysis.texts
        lines_by_path = {
            path: lines for path in texts.paths if (lines := _find_word_lines(self._read_content(path), path, words))
        }
        return [line for path, lines in lines_by_path.items() if texts[path].problem for line in lines]

    def _find_agents(self, node: str) -> list[AgentDefinition]:
        return [a for a in self.scanned.agents if a.name == node]


def is_test_file(path: str) -> bool:
    """Whether pytest would look for tests in a file of this name."""
    name = PurePosixPath(path).name
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


def _iter_imported_modules(text: bytes, package: str) -> Iterator[str]:
    """Every module that a text may import, by its dotted name; what is not a module is among them too."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_import(node, package)
            yield from (base, *(f"{base}.{alias.name}" for alias in node.names))


def _select_words(op: Operation) -> tuple[str, ...] | None:
    """The word that goes, and what must stand beside it in a file that means it; None where nothing goes."""
    if isinstance(op, RenameField | RemoveField) and op.method is not None:
        return op.field.rpartition(".")[2].removesuffix("[]"), op.method
    if isinstance(op, RenameMethod | DeleteMethod) and op.method is not None and not isinstance(op, FieldOperation):
        return (op.method,)
    return None


def _find_word_lines(text: bytes, path: str, words: Sequence[str]) -> list[str]:
    """The lines with the first of the words, in a text that has them all."""
    first, *others = (re.compile(rb"\b" + re.escape(word.encode()) + rb"\b") for word in words)
    if not all(other.search(text) for other in others):
        return []
    return [f"{path}:{number}" for number, line in enumerate(text.splitlines(), 1) if first.search(line)]


def _list_tracked_files(root: Path) -> frozenset[str] | None:
    """The files below a folder that git tracks; None without git."""
    if not any((folder / ".git").exists() for folder in (root, *root.parents)):
        return None
    try:
        result = run_git(root, "ls-files", "-z", timeout_s=GIT_S)
    except OSError:
        return None
    return frozenset(result.stdout.decode("utf-8", "surrogateescape").split("\0")) if result.returncode == 0 else None
