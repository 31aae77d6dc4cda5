"""What code and people say of a mismatch: which field of the producer is which of the consumer.

Found for links that do not fit, and for no others, so a project that fits pays nothing. A test counts if it stood there
when the build began and passes as it stands; a test that this build wrote or changed says nothing.
"""

from __future__ import annotations

import ast
import sys
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from graphbus_core.analysis import ProjectAnalysis as Understood
from graphbus_core.analysis.callers import read_called_word
from graphbus_core.analysis.corroboration import Reachability, can_bind, confirms_call
from graphbus_core.analysis.links import LinkResult, find_link_contracts
from graphbus_core.contracts.check import Gap, GapKind, find_gaps
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.model.graph import Link, Mismatch
from graphbus_core.participants.rules.evidence import extract_field_name, is_explained_in_line
from graphbus_core.participants.rules.name_matching import are_opposed
from graphbus_core.sandbox import runner
from graphbus_core.sandbox.scratch import create_scratch_copy
from graphbus_core.syntax import last_name

# What stands in words at either end of a link: a declared alias, a docstring's line that says what a field is.


def find_written_evidence(
    link: Link,
    ends: tuple[AgentDefinition, AgentDefinition],
    gap: Gap,
    other: str,
    read: Callable[[str], bytes],
) -> Iterator[tuple[str, str, str]]:
    """What stands at either end: a declared alias, a docstring's line that names both."""
    name = extract_field_name(gap.path)
    for agent, method, mine, theirs in (
        (ends[1], link.consumer.method, name, other),
        (ends[0], link.producer.method, other, name),
    ):
        for line in _find_aliases(agent, method, read(agent.source_file), mine, theirs):
            yield "alias", f"'{theirs}' is declared an alias of '{mine}'", f"{agent.source_file}:{line}"
    if are_opposed(name, other):
        return
    giver, taker = ((end.node, end.method or "") for end in (link.producer, link.consumer))
    candidates = (
        (ends[1], link.consumer.method, name, other, giver),
        (ends[0], link.producer.method, other, name, taker),
    )
    for agent, method, mine, theirs, far in candidates:
        for text in _read_docstring(agent, method):
            if is_explained_in_line(text, mine, theirs, far):
                says = f"the docstring of {agent.name}.{method} says that '{mine}' is '{theirs}'"
                yield "described", says, agent.source_file


def _find_aliases(agent: AgentDefinition, method: str | None, source: bytes, field: str, other: str) -> Iterator[int]:
    """Lines where `field` is annotated with `Alias("other")`, or a pydantic alias: at the method, or in what its module
    defines and the method names (a TypedDict, a constant). Another method of the class may mean another thing by it."""
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    tops = {name: node for node in module.body for name in _list_defined_names(node)}
    starts = [*_iter_contract_nodes(tops.get(agent.class_name.rpartition(".")[2]), method)]
    reached: dict[int, ast.AST] = {}
    while starts:
        root_node = starts.pop()
        if id(root_node) not in reached:
            reached[id(root_node)] = root_node
            starts += [tops[n.id] for n in ast.walk(root_node) if isinstance(n, ast.Name) and n.id in tops]
    for node in (n for root_node in reached.values() for n in ast.walk(root_node)):
        for name, annotation in _iter_annotations(node):
            if name == field and any(_is_alias(call, other) for call in ast.walk(annotation)):
                yield annotation.lineno


def _iter_contract_nodes(cls: ast.stmt | None, method: str | None) -> Iterator[ast.AST]:
    """Where a method's contract may stand: its decorators and signature; of a topic, the decorators of all methods."""
    for node in getattr(cls, "body", ()):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and method in (None, node.name):
            yield from (*node.decorator_list, node.args, *([node.returns] if node.returns else ()))
    if method is None and isinstance(cls, ast.ClassDef):
        yield from cls.decorator_list


def _list_defined_names(node: ast.stmt) -> list[str]:
    match node:
        case ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _iter_annotations(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Names with what is said of their type: keys of a contract, parameters, fields of a class."""
    match node:
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value
        case ast.arg(arg=name, annotation=ast.expr() as annotation):
            yield name, annotation
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
            yield name, annotation
            if value is not None:
                yield name, value


def _is_alias(node: ast.AST, other: str) -> bool:
    if not isinstance(node, ast.Call):
        return False
    alias_values = [*node.args] if last_name(node.func) in ("Alias", "AliasChoices") else []
    alias_values += [k.value for k in node.keywords if k.arg in ("alias", "validation_alias", "serialization_alias")]
    return any(isinstance(constant, ast.Constant) and constant.value == other for constant in alias_values)


def _read_docstring(agent: AgentDefinition, method: str | None) -> list[str]:
    """The lines of a method's docstring."""
    try:
        tree = ast.parse(textwrap.dedent(agent.source_code))
    except (SyntaxError, ValueError):
        return []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == method:
            return (ast.get_docstring(node) or "").splitlines()
    return []


EvidenceEntry = Mapping[str, str]
TEST_TIMEOUT_S = 60.0


class EvidenceSources:
    """Looks for evidence in the project around `root`, the root of a scan. `leave_out`: the build's own folder.

    `whole` is the project's folder, where the user says it.
    """

    def __init__(self, root: Path, leave_out: Path | None = None, whole: Path | None = None) -> None:
        self.root, self.leave_out, self.whole = root, leave_out, whole
        self._passing: dict[str, bool] = {}

    def attach_evidence(
        self,
        agents: Sequence[AgentDefinition],
        linked: LinkResult,
        over: Mapping[str, bytes] | None = None,
        edited: Collection[str] = (),
    ) -> LinkResult:
        """The links, with what is known of each mismatch. `over`: texts that count in place of the files; `edited`:
        files that this build wrote."""
        if not linked.mismatches:
            return linked
        by_name = {a.name: a for a in agents}
        cycles = _build_cycle_lookup(linked.links)
        with _EvidenceReading(self, agents, over or {}, frozenset(edited)) as reading:
            mismatches = tuple(
                replace(
                    m,
                    evidence=tuple(reading.find_evidence(m, by_name)),
                    in_cycle=m.link.producer.node in cycles(m.link),
                )
                for m in linked.mismatches
            )
        return replace(linked, mismatches=mismatches)

    def is_passing(self, path: str, root: Path) -> bool:
        """Whether the tests of a file pass as they stand, in the sandbox; asked once a file."""
        if path not in self._passing:
            try:
                with create_scratch_copy(root, {}, self.leave_out, (path,)) as copy:
                    argv = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", path]
                    limits = runner.Limits(timeout_s=TEST_TIMEOUT_S, memory_mb=2048)
                    places = [str(copy), str(copy / self.root.relative_to(root))]
                    self._passing[path] = runner.run(argv, copy, mount_path=root, limits=limits, python_path=places).ok
            except (Refusal, OSError, ValueError):
                self._passing[path] = False
        return self._passing[path]


class _EvidenceReading:
    """One state of the sources."""

    def __init__(
        self,
        by: EvidenceSources,
        agents: Sequence[AgentDefinition],
        over: Mapping[str, bytes],
        edited: frozenset[str],
    ) -> None:
        self.by, self.agents, self.over, self.edited = by, agents, over, edited

    @cached_property
    def whole(self) -> Understood:
        """The project around the scan, its tests and scripts with it."""
        return Understood.from_folder(self.by.root, self.agents, root=self.by.whole, over=self.over)

    @cached_property
    def reachability(self) -> Reachability:
        """What of that project is run."""
        return Reachability(self.whole.texts, frozenset(m.name for a in self.agents for m in a.methods))

    def __enter__(self) -> _EvidenceReading:
        return self

    def __exit__(self, *_: object) -> None:
        if "whole" in self.__dict__:
            self.whole.close()

    def find_evidence(self, mismatch: Mismatch, agents: Mapping[str, AgentDefinition]) -> Iterator[EvidenceEntry]:
        """Everything that is known of the gaps of one mismatch."""
        for sent, accepted in find_link_contracts(mismatch.link, dict(agents)):
            if sent is None or accepted is None:
                continue
            for gap in find_gaps(sent.json_schema, accepted.json_schema):
                if gap.kind is GapKind.MISSING and gap.unclaimed:
                    yield from self._find_gap_evidence(mismatch.link, gap, agents)

    def _find_gap_evidence(
        self, link: Link, gap: Gap, agents: Mapping[str, AgentDefinition]
    ) -> Iterator[EvidenceEntry]:
        beside = gap.path[: len(gap.path) - len(extract_field_name(gap.path))]
        ends = (agents[link.producer.node], agents[link.consumer.node])
        for other in gap.unclaimed:
            pair = {"sent": f"{beside}{other}", "taken": gap.path}
            for kind, says, where in (
                *self._find_flow_evidence(link, gap.path, pair["sent"]),
                *find_written_evidence(link, ends, gap, other, self._read_source),
            ):
                yield {**pair, "kind": kind, "says": says, "where": where}

    def _find_flow_evidence(self, link: Link, accepted: str, sent: str) -> Iterator[tuple[str, str, str]]:
        if link.producer.method is None:
            return
        source, target = (
            f"{end.node}.{end.method}.{_normalize_keys(path)}"
            for end, path in ((link.producer, sent), (link.consumer, accepted))
        )
        for shown_evidence in self.whole.find_evidence(source, target):
            path, _, line = shown_evidence.place.rpartition(":")
            if not self._works(link, path, int(line)):
                continue
            if shown_evidence.kind != "tested":
                yield "flow", f"a call gives '{sent}' as '{accepted}'", shown_evidence.place
            elif self._is_edited(path) or not confirms_call(self.whole.texts.read_content(path), int(line)):
                continue
            elif self.by.is_passing(path, self.whole.root):
                yield "test", f"a passing test gives '{sent}' as '{accepted}'", shown_evidence.place

    def _works(self, link: Link, path: str, line: int) -> bool:
        """Whether the call of the consumer in this line is one that is run, and that Python takes."""
        word = link.consumer.method or ""
        code = self.whole.find_code(link.consumer.node, word)
        function = self.whole.texts[code.path].functions.get(code.name) if code is not None else None
        calls = [
            c for c in self.whole.texts[path].calls if c.line == line and word in map(read_called_word, c.function)
        ]
        if function is not None and not all(can_bind(call, function) for call in calls):
            return False
        return self.reachability.is_run(path, line, word)

    def _read_source(self, path: str) -> bytes:
        try:
            return self.over[path] if path in self.over else (self.by.root / path).read_bytes()
        except OSError:
            return b""

    def _is_edited(self, path: str) -> bool:
        return any(path == edited_path or path.endswith(f"/{edited_path}") for edited_path in self.edited)


def _normalize_keys(path: str) -> str:
    """`rows[].qty` as keys: `rows.[].qty`."""
    return path.replace("[]", ".[]")


def _build_cycle_lookup(links: Sequence[Link]) -> Callable[[Link], set[str]]:
    """Link -> the nodes that its consumer feeds, directly or by others."""
    feeds: dict[str, set[str]] = {}
    for link in links:
        feeds.setdefault(link.producer.node, set()).add(link.consumer.node)

    def find_fed_nodes(link: Link) -> set[str]:
        fed_nodes: set[str] = set()
        todo = [link.consumer.node]
        while todo:
            new = feeds.get(todo.pop(), set()) - fed_nodes
            fed_nodes |= new
            todo += new
        return fed_nodes

    return find_fed_nodes
