"""The project as it stands in the editor. Nothing of it runs; a text that does not parse keeps the last state."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from graphbus_core.adopt import Inferred, infer
from graphbus_core.build.link import Linked, link_project
from graphbus_core.build.lint import lint
from graphbus_core.build.scan import Project, scan
from graphbus_core.build.understand.text.files import find_root
from graphbus_core.contracts.disagreement import Finding as Disagreement
from graphbus_core.errors import NoAgentsError
from graphbus_core.findings import Finding
from graphbus_core.settings import effective
from graphbus_core.workspace.shows.declared import Checked, judged
from graphbus_core.workspace.shows.inferred import judged_inferred


@dataclass(frozen=True)
class LiveMethod:
    """A method or function of a component, its contract in words, and where its `def` stands."""

    component: str
    name: str
    file: str
    line: int
    end: int
    takes: str
    gives: str
    fields: frozenset[str] = frozenset()

    @property
    def full(self) -> str:
        """`Cart.order`, as links name it."""
        return f"{self.component}.{self.name}"


@dataclass(frozen=True)
class Now:
    """One state. `top` is what the files of findings and methods are relative to; `checked` is there with agents."""

    top: Path
    findings: tuple[Finding, ...] = ()
    methods: tuple[LiveMethod, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    broken: frozenset[tuple[str, str]] = frozenset()
    checked: Checked | None = None
    over: Mapping[str, bytes] = field(default_factory=dict)


class Live:
    """Looks again after an edit. Not for several threads at once: whoever serves asks one thing after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = find_root(folder)
        self.over: dict[Path, bytes] = {}
        self._scanned: Project | None = None
        self._linted: dict[str, tuple[Disagreement, ...]] = {}

    def edit(self, file: Path, text: str | None) -> None:
        """From now on this text counts; None: the file's own does again."""
        if text is None:
            self.over.pop(file, None)
        else:
            self.over[file] = text.encode()

    def look(self) -> Now:
        """The state now. Raises GraphBusError where it cannot be read, as while a line is half written."""
        # Read on each look: the settings are a file of the project, and may be what was edited.
        settings = effective(self.folder)
        start, settings = settings.start(None)
        try:
            if self._scanned is None:
                self._scanned = scan(str(self.folder) if start is None else os.path.abspath(start), settings["include"])
            over = self._below(self._scanned.root)
            # The last scan is used again: most files are as they were, and a whole scan at each letter would take
            # seconds.
            project = self._scanned = self._scanned.again(over=over)
        except NoAgentsError:
            # The scan is dropped, because the next edit may bring the first agent.
            self._scanned = None
            return self._inferred()
        linked = link_project(project, over=over)
        checked = Checked(project, linked, self._lint(project))
        return Now(
            find_root(project.root),
            judged(checked, settings).counted,
            tuple(_methods(project)),
            tuple((str(one.producer), str(one.consumer)) for one in linked.links),
            _broken(linked),
            checked,
            over,
        )

    def _below(self, root: Path) -> dict[str, bytes]:
        inside = root.resolve()
        return {f.relative_to(inside).as_posix(): t for f, t in self.over.items() if f.is_relative_to(inside)}

    def _lint(self, project: Project) -> tuple[Disagreement, ...]:
        """Of agents that did not change, what was found before: it rests on nothing but the agent."""
        found: list[Disagreement] = []
        known: dict[str, tuple[Disagreement, ...]] = {}
        for agent in project.agents:
            text = project.texts.get(agent.name)
            # By the agent's text: lines that moved in another class change nothing here.
            told = self._linted.get(text) if text is not None else None
            if told is None:
                told = lint(replace(project, agents=(agent,)))
            if text is not None:
                known[text] = told
            found += told
        # Only what was used now is kept, or a long session would hold every text that was ever typed.
        self._linted = known
        return tuple(found)

    def _inferred(self) -> Now:
        settings = effective(self.folder)
        found = infer(self.folder, over=self._below(self.folder), among=settings.among)
        return Now(
            found.root,
            judged_inferred(found, settings).counted,
            tuple(_inferred_methods(found)),
            tuple((link.producer, link.consumer) for link in found.links),
        )


def _broken(linked: Linked) -> frozenset[tuple[str, str]]:
    return frozenset((str(one.link.producer), str(one.link.consumer)) for one in linked.mismatches)


def _methods(project: Project) -> list[LiveMethod]:
    from graphbus_core.contracts.reading.wording import annotation

    top = find_root(project.root).resolve()
    inside = project.root.resolve()
    # Findings are named from the project's root, agents from the scan's.
    prefix = f"{inside.relative_to(top).as_posix()}/".removeprefix("./") if inside.is_relative_to(top) else ""
    found = []
    for agent in project.agents:
        for method in agent.methods:
            # An inherited method stands in its parent's file, and there a cursor finds it.
            file = method.metadata.get("inherited_from", {}).get("source_file", agent.source_file)
            sides = (method.input_schema, method.output_schema)
            takes, gives = ("not declared" if s is None else annotation(s.json_schema) or "?" for s in sides)
            names = frozenset(name for side in sides if side is not None for name in side.fields)
            line = method.lineno or 1
            end = method.end_lineno or line
            found.append(LiveMethod(agent.name, method.name, f"{prefix}{file}", line, end, takes, gives, names))
    return found


def _inferred_methods(found: Inferred) -> list[LiveMethod]:
    made = []
    for one in found.components:
        starts = sorted(method.line for method in one.methods)
        for method in one.methods:
            takes, _, gives = str(method).partition(" -> ")
            # Where the next method begins. Inference keeps no end, and two hundred lines are longer than any method
            # should be.
            end = next((line - 1 for line in starts if line > method.line), method.line + 200)
            level = method.level.name.lower()
            names = frozenset(t.name for t in method.signature.takes)
            component = one.name.rpartition(".")[2]
            made.append(
                LiveMethod(component, method.name, method.file, method.line, end, takes, f"{gives} ({level})", names)
            )
    return made
