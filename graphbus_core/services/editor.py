"""The project as it stands in the editor. Nothing of it runs; a text that does not parse keeps the last state."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from graphbus_core.analysis.files import find_root
from graphbus_core.analysis.links import LinkResult, link_project
from graphbus_core.analysis.links.findings import lint
from graphbus_core.analysis.scan import Project, scan
from graphbus_core.contracts.linting import Disagreement as Disagreement
from graphbus_core.editing.applicator import DiffApplicator
from graphbus_core.editing.scope import EditScope
from graphbus_core.errors import GraphBusError, NoAgentsError
from graphbus_core.findings import Finding
from graphbus_core.inference import InferredProject, infer
from graphbus_core.model.edit_outcome import Edited
from graphbus_core.model.graph import Mismatch
from graphbus_core.model.operation import parse_operations
from graphbus_core.negotiation.proposal.project_view import ProjectView
from graphbus_core.participants.rules.repair_proposals import propose
from graphbus_core.services.inference.findings import judge_inferred
from graphbus_core.services.validation import CheckedProject, judge_checked
from graphbus_core.settings import load_settings


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
    def full_name(self) -> str:
        """`Cart.order`, as links name it."""
        return f"{self.component}.{self.name}"


@dataclass(frozen=True)
class ProjectSnapshot:
    """One state. `top` is what the files of findings and methods are relative to; `checked` is there with agents."""

    top: Path
    findings: tuple[Finding, ...] = ()
    methods: tuple[LiveMethod, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    broken: frozenset[tuple[str, str]] = frozenset()
    checked: CheckedProject | None = None
    over: Mapping[str, bytes] = field(default_factory=dict)


class LiveProject:
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

    def look(self) -> ProjectSnapshot:
        """The state now. Raises GraphBusError where it cannot be read, as while a line is half written."""
        # Read on each look: the settings are a file of the project, and may be what was edited.
        settings = load_settings(self.folder)
        start, settings = settings.resolve_start(None)
        try:
            if self._scanned is None:
                self._scanned = scan(str(self.folder) if start is None else os.path.abspath(start), settings["include"])
            over = self._select_below(self._scanned.root)
            # The last scan is used again: most files are as they were, and a whole scan at each letter would take
            # seconds.
            project = self._scanned = self._scanned.rescan(over=over)
        except NoAgentsError:
            # The scan is dropped, because the next edit may bring the first agent.
            self._scanned = None
            return self._infer_snapshot()
        linked = link_project(project, over=over)
        checked = CheckedProject(project, linked, self._lint(project))
        return ProjectSnapshot(
            find_root(project.root),
            judge_checked(checked, settings).counted,
            tuple(_list_methods(project)),
            tuple((str(data_link.producer), str(data_link.consumer)) for data_link in linked.links),
            _list_broken(linked),
            checked,
            over,
        )

    def _select_below(self, root: Path) -> dict[str, bytes]:
        inside = root.resolve()
        return {f.relative_to(inside).as_posix(): t for f, t in self.over.items() if f.is_relative_to(inside)}

    def _lint(self, project: Project) -> tuple[Disagreement, ...]:
        """Of agents that did not change, what was found before: it rests on nothing but the agent."""
        disagreements: list[Disagreement] = []
        known_disagreements: dict[str, tuple[Disagreement, ...]] = {}
        for agent in project.agents:
            text = project.texts.get(agent.name)
            # By the agent's text: lines that moved in another class change nothing here.
            agent_disagreements = self._linted.get(text) if text is not None else None
            if agent_disagreements is None:
                agent_disagreements = lint(replace(project, agents=(agent,)))
            if text is not None:
                known_disagreements[text] = agent_disagreements
            disagreements += agent_disagreements
        # Only what was used now is kept, or a long session would hold every text that was ever typed.
        self._linted = known_disagreements
        return tuple(disagreements)

    def _infer_snapshot(self) -> ProjectSnapshot:
        settings = load_settings(self.folder)
        inferred = infer(self.folder, over=self._select_below(self.folder), among=settings.file_globs)
        return ProjectSnapshot(
            inferred.root,
            judge_inferred(inferred, settings).counted,
            tuple(_list_inferred_methods(inferred)),
            tuple((link.producer, link.consumer) for link in inferred.links),
        )


def _list_broken(linked: LinkResult) -> frozenset[tuple[str, str]]:
    return frozenset((str(mismatch.link.producer), str(mismatch.link.consumer)) for mismatch in linked.mismatches)


def _list_methods(project: Project) -> list[LiveMethod]:
    from graphbus_core.contracts.parsing.type_forms import annotation

    top = find_root(project.root).resolve()
    inside = project.root.resolve()
    # Findings are named from the project's root, agents from the scan's.
    prefix = f"{inside.relative_to(top).as_posix()}/".removeprefix("./") if inside.is_relative_to(top) else ""
    live_methods = []
    for agent in project.agents:
        for method in agent.methods:
            # An inherited method stands in its parent's file, and there a cursor finds it.
            file = method.metadata.get("inherited_from", {}).get("source_file", agent.source_file)
            sides = (method.input_schema, method.output_schema)
            takes, gives = ("not declared" if s is None else annotation(s.json_schema) or "?" for s in sides)
            names = frozenset(name for side in sides if side is not None for name in side.fields)
            line = method.lineno or 1
            end = method.end_lineno or line
            live_methods.append(LiveMethod(agent.name, method.name, f"{prefix}{file}", line, end, takes, gives, names))
    return live_methods


def _list_inferred_methods(inferred: InferredProject) -> list[LiveMethod]:
    live_methods = []
    for inferred_component in inferred.components:
        starts = sorted(method.line for method in inferred_component.methods)
        for method in inferred_component.methods:
            takes, _, gives = str(method).partition(" -> ")
            # Where the next method begins. Inference keeps no end, and two hundred lines are longer than any method
            # should be.
            end = next((line - 1 for line in starts if line > method.line), method.line + 200)
            level = method.level.word
            names = frozenset(t.name for t in method.signature.takes)
            component = inferred_component.name.rpartition(".")[2]
            live_methods.append(
                LiveMethod(component, method.name, method.file, method.line, end, takes, f"{gives} ({level})", names)
            )
    return live_methods


# What the rule negotiators propose for a link that does not fit, as edits. Each was tried in memory first.
#
# Proved are the contracts, here and now. Imports and tests are not: the gates of a build prove those.


# An editor shows a short list. Each further one costs a trial of the whole project.
MAX_FIXES = 8  # proposals for one finding
# In round one rules hold back what they would leave to the other end. In an editor nobody else speaks.
LATE_ROUND = 2  # a round in which both ends have had the first word, so that every rule may speak
LIMITS = {"rounds": 3, "proposals_left": 1, "proposals_this_round": 1}


@dataclass(frozen=True)
class Fix:
    """`files` are the whole new texts, by path below the scan's root. `sure`: evidence says so, nobody was asked."""

    title: str
    files: Mapping[str, tuple[bytes, bytes]]
    sure: bool


def propose_fixes(now: ProjectSnapshot, finding: Finding) -> tuple[Fix, ...]:
    """The proposals that mend this finding and break nothing else."""
    checked = now.checked
    if checked is None:
        return ()
    # By the subject, which names the link: the same finding after an edit is the same link.
    mismatch = next((m for m in checked.linked.mismatches if m.link.id == finding.subject), None)
    if mismatch is None:
        return ()
    collected: list[Fix] = []
    for title, diff, sure in _list_proposals(checked, mismatch):
        files = _try_proposal(now, checked, mismatch, diff)
        # Two rules may reach the same text by different diffs. A person sees the result alone.
        if files and all(files != other.files for other in collected):
            collected.append(Fix(title, files, sure))
        if len(collected) >= MAX_FIXES:
            break
    return tuple(collected)


def _list_proposals(checked: CheckedProject, mismatch: Mismatch) -> Iterator[tuple[str, list[Mapping[str, Any]], bool]]:
    """(summary, diff, whether evidence speaks for it), from both ends; then what a person may say is meant."""
    ground = ProjectView(checked.project.everyone, checked.linked.links, [mismatch])
    # The consumer first: it knows what it needs, and its proposal is usually the smaller one.
    ends = dict.fromkeys((mismatch.link.consumer.node, mismatch.link.producer.node))
    candidates = []
    for name in ends:
        about = {
            "round": LATE_ROUND,
            "card": ground.card(name, own=True),
            "neighbours": ground.neighbour_cards(name),
            "mismatches": ground.mismatches_of(name),
            "links": [link.to_dict() for link in ground.links_of(name)],
            "limits": LIMITS,
        }
        answer = propose(about)
        for proposal in answer["proposals"]:
            yield proposal["summary"], proposal["diff"], True
        # Questions last. What a person would have to decide is offered, but never as the preferred fix.
        candidates += [c for question in answer.get("questions", ()) for c in question["candidates"]]
    for candidate in candidates:
        yield candidate["says"], candidate["proposal"]["diff"], False


def _try_proposal(
    now: ProjectSnapshot, checked: CheckedProject, mismatch: Mismatch, diff: list[Mapping[str, Any]]
) -> dict[str, tuple[bytes, bytes]] | None:
    project = checked.project
    reach = EditScope(project)

    def read_file(path: str) -> bytes | None:
        if path in now.over:
            return now.over[path]
        try:
            return (project.root / path).read_bytes()
        except OSError:
            return None

    outcome = DiffApplicator(read_file, project.agents, reach.editable_files, reach=reach).apply(parse_operations(diff))
    # An editor cannot make or remove files as part of this edit, so such a proposal is for a build.
    if not isinstance(outcome, Edited) or outcome.created or outcome.removed:
        return None
    over = {**now.over, **outcome.after}
    try:
        again = project.rescan(over=over)
        remaining = {other_mismatch.link.id for other_mismatch in link_project(again, over=over).mismatches}
    except GraphBusError:
        # A proposal that makes the project unreadable is not a proposal.
        return None
    stood = {other_mismatch.link.id for other_mismatch in checked.linked.mismatches}
    # It must mend this link and break none: one that moves the fault elsewhere would look like a fix.
    if mismatch.link.id in remaining or remaining - stood:
        return None
    return {path: (outcome.before[path], after) for path, after in outcome.after.items()}


# What is under a cursor: the method, its contract, who feeds it and whom it feeds; of a field, why it is there.


WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class CursorTarget:
    """`word` is a field's name where the cursor is on one, else empty."""

    method: LiveMethod
    word: str
    producers: tuple[LiveMethod, ...]
    consumers: tuple[LiveMethod, ...]
    text: str


def find_target(now: ProjectSnapshot, file: str, line: int, text: str, column: int) -> CursorTarget | None:
    """What stands at a place of a file (line from 1, column from 0). `text` is that line's text."""
    word = next((m[0] for m in WORD.finditer(text) if m.start() <= column <= m.end()), "")
    # Methods inside methods: the innermost is the one that the cursor is in.
    own = [m for m in now.methods if m.file == file and m.line <= line <= m.end]
    inside = max(own, key=lambda m: m.line, default=None)
    candidates = [m for m in now.methods if m.name == word]
    # A field goes before a method of the same name: in a contract one reads of fields.
    if inside is not None and word in inside.fields:
        return _build_target(now, inside, word)
    # One of that name, or the one that the cursor is in: anything else would be a guess among many.
    if len(candidates) == 1 or (candidates and inside in candidates):
        return _build_target(now, inside if inside in candidates else candidates[0], "")
    if inside is not None and not candidates and (line == inside.line or not word):
        return _build_target(now, inside, "")
    return None


def _build_target(now: ProjectSnapshot, method: LiveMethod, word: str) -> CursorTarget:
    methods_by_name = {live_method.full_name: live_method for live_method in now.methods}
    # A link of a topic has the topic at its end, not a method: there is no `def` to go to.
    producers = [p for p, c in now.links if c == method.full_name]
    consumers = [c for p, c in now.links if p == method.full_name]
    lines = [f"**{method.full_name}**", "", f"takes `{method.takes}`  ", f"gives `{method.gives}`"]
    if word:
        lines = [
            f"**{word}** of {method.full_name}",
            "",
            *(_explain_field(now, methods_by_name, method, word) or ["No link carries it."]),
        ]
    else:
        lines += ["", *_render_links(now, methods_by_name, method, producers, consumers)]
    return CursorTarget(
        method,
        word,
        tuple(methods_by_name[p] for p in producers if p in methods_by_name),
        tuple(methods_by_name[c] for c in consumers if c in methods_by_name),
        "\n".join(lines).rstrip(),
    )


def _render_links(
    now: ProjectSnapshot,
    methods_by_name: dict[str, LiveMethod],
    method: LiveMethod,
    producers: list[str],
    consumers: list[str],
) -> Iterator[str]:
    for way, others in (("fed by", producers), ("feeds", consumers)):
        for other in others:
            pair = (other, method.full_name) if way == "fed by" else (method.full_name, other)
            fits = " ✗ does not fit" if pair in now.broken else ""
            yield f"- {way} `{other}`{_render_place(methods_by_name.get(other))}{fits}"


def _explain_field(
    now: ProjectSnapshot, methods_by_name: dict[str, LiveMethod], method: LiveMethod, word: str
) -> list[str]:
    """Why a field is here: who sends it, and who needs it."""
    lines = []
    for producer, consumer in now.links:
        other = methods_by_name.get(
            producer if consumer == method.full_name else consumer if producer == method.full_name else ""
        )
        if other is not None:
            verb = "comes from" if consumer == method.full_name else "goes to"
            # That the other end lacks it is often why somebody looks.
            has = "" if word in other.fields else ", which has no such field"
            lines.append(f"- {verb} `{other.full_name}`{_render_place(other)}{has}")
    return lines


def _render_place(method: LiveMethod | None) -> str:
    return f" ({method.file}:{method.line})" if method is not None else ""
