"""What code and people say of a mismatch: which field of the producer is which of the consumer.

Found for links that do not fit, and for no others, so a project that fits pays nothing. A test counts if it stood there
when the build began and passes as it stands; a test that this build wrote or changed says nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path

from graphbus_core.analysis import ProjectAnalysis as Understood
from graphbus_core.analysis.evidence.declarations import find_declarations, find_shared_newtype, find_tables
from graphbus_core.analysis.evidence.doctests import build_doctest_files, find_documented_path
from graphbus_core.analysis.evidence.pairings import PairingReader
from graphbus_core.analysis.evidence.rule import Ground
from graphbus_core.analysis.evidence.samples import find_consumer_place, find_producer_place
from graphbus_core.analysis.links import LinkResult, find_link_contracts
from graphbus_core.contracts.check import Gap, GapKind, find_gaps
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.model.graph import Link, Mismatch
from graphbus_core.participants.rules.evidence import extract_field_name
from graphbus_core.sandbox import runner
from graphbus_core.sandbox.scratch import create_scratch_copy

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
        feeders = _collect_feeders(linked.links)
        words = collect_words(linked.mismatches)
        with _EvidenceReading(self, agents, over or {}, frozenset(edited), feeders, words) as reading:
            mismatches = tuple(
                replace(
                    m,
                    evidence=tuple(reading.find_evidence(m, by_name)),
                    in_cycle=m.link.producer.node in cycles(m.link),
                )
                for m in linked.mismatches
            )
        return replace(linked, mismatches=mismatches)

    def is_passing(self, test: str, root: Path) -> bool:
        """Whether a test passes as it stands, in the sandbox: `path::Class::name`, or all of a file.

        A file is run once; where it fails, the one test that is asked about. Also doctests.
        """
        path, _, name = test.partition("::")
        if documented := find_documented_path(path):
            return self._run_tests(documented, root, "--doctest-modules", "--doctest-glob=*")
        return self._run_tests(path, root) or (bool(name) and self._run_tests(test, root))

    def _run_tests(self, test: str, root: Path, *options: str) -> bool:
        if test not in self._passing:
            try:
                with create_scratch_copy(root, {}, self.leave_out, (test.partition("::")[0],)) as copy:
                    argv = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *options, test]
                    limits = runner.Limits(timeout_s=TEST_TIMEOUT_S, memory_mb=2048)
                    places = [str(copy), str(copy / self.root.relative_to(root))]
                    self._passing[test] = runner.run(argv, copy, mount_path=root, limits=limits, python_path=places).ok
            except (Refusal, OSError, ValueError):
                self._passing[test] = False
        return self._passing[test]


class _EvidenceReading:
    """One state of the sources."""

    def __init__(
        self,
        by: EvidenceSources,
        agents: Sequence[AgentDefinition],
        over: Mapping[str, bytes],
        edited: frozenset[str],
        feeders: Mapping[tuple[str, str | None], frozenset[str]],
        words: frozenset[str],
    ) -> None:
        self.by, self.agents, self.over, self.edited, self.feeders = by, agents, over, edited, feeders
        self.words = words  # of the mismatches

    @cached_property
    def whole(self) -> Understood:
        """The project around the scan, its tests and scripts with it."""
        project = Understood.from_folder(self.by.root, self.agents, root=self.by.whole, over=self.over)
        examples = build_doctest_files(project.texts)
        return project.add_texts(examples) if examples else project

    @cached_property
    def pairings(self) -> PairingReader:
        """What its calls give to whom."""
        return PairingReader(
            self.whole,
            self.words,
            self._is_edited,
            lambda path: self.by.is_passing(path, self.whole.root),
        )

    def __enter__(self) -> _EvidenceReading:
        return self

    def __exit__(self, *_: object) -> None:
        if "whole" in self.__dict__:
            self.whole.close()

    def find_evidence(self, mismatch: Mismatch, agents: Mapping[str, AgentDefinition]) -> Iterator[EvidenceEntry]:
        """Everything that is known of the gaps of one mismatch."""
        link = mismatch.link
        for sent, accepted in find_link_contracts(link, dict(agents)):
            if sent is None or accepted is None:
                continue
            for gap in find_gaps(sent.json_schema, accepted.json_schema):
                for sent_path, ground in (*self._find_gap_evidence(link, gap, agents), *self._find_places(link, gap)):
                    path, _, line = ground.where.rpartition(":")
                    where = f"{find_documented_path(path) or path}:{line}"
                    yield {"sent": sent_path, "taken": gap.path, **asdict(replace(ground, where=where))}

    def _find_places(self, link: Link, gap: Gap) -> Iterator[tuple[str, Ground]]:
        """Where both ends stand, with a sample of the value at each."""
        beside = gap.path[: len(gap.path) - len(extract_field_name(gap.path))]
        sent = [f"{beside}{other}" for other in gap.unclaimed] if gap.kind is GapKind.MISSING else [gap.path]
        yield from (("", ground) for ground in find_consumer_place(self.whole, link.consumer, gap.path))
        agent = next(agent for agent in self.agents if agent.name == link.producer.node)
        publishers = {p.method for p in agent.publications if p.topic.name == link.producer.topic}
        for method in [link.producer.method] if link.producer.topic is None else sorted(filter(None, publishers)):
            yield from find_producer_place(self.whole, replace(link.producer, method=method), sent)

    def _find_gap_evidence(
        self, link: Link, gap: Gap, agents: Mapping[str, AgentDefinition]
    ) -> Iterator[tuple[str, Ground]]:
        """What is known of one gap: of every field that could fill it, or of the field as it is."""
        name = extract_field_name(gap.path)
        beside = gap.path[: len(gap.path) - len(name)]
        ends = (agents[link.producer.node], agents[link.consumer.node])
        if gap.kind is GapKind.MISSING:
            newtypes = list(find_shared_newtype(link, ends, self.whole)) if gap.unclaimed else []
            for other in gap.unclaimed:
                sent, declared = f"{beside}{other}", [*find_declarations(link, ends, gap, other, self.whole)]
                hints = [ground for theirs, mine, ground in newtypes if (theirs, mine) == (other, name)]
                hints += find_tables(self.whole, other, name) if len(gap.unclaimed) > 1 else ()
                for ground in (*self.pairings.rule_on(link, sent, gap.path, declared), *hints):
                    yield sent, ground
            yield from (("", ground) for ground in self.pairings.find_named_readers(link))
        if link.producer.method is None:
            return
        if gap.kind is GapKind.MISSING and gap.path == name:
            feeders = self.feeders.get((link.producer.node, link.producer.method), frozenset())
            yield from ((gap.path, ground) for ground in self.pairings.rule_on_passing(link, name, feeders))
        if gap.kind is GapKind.TYPE:
            yield from ((gap.path, ground) for ground in self.pairings.rule_on_type(link, gap))
        elif gap.path == name:
            yield from ((gap.path, ground) for ground in self.pairings.find_omissions(link, name))

    def _is_edited(self, path: str) -> bool:
        path = find_documented_path(path) or path
        return any(path == edited_path or path.endswith(f"/{edited_path}") for edited_path in self.edited)


def collect_words(mismatches: Sequence[Mismatch]) -> frozenset[str]:
    """By what the files are found that concern a mismatch: the consumer's method, and the fields that do not fit."""
    methods = {m.link.consumer.method for m in mismatches if m.link.consumer.method}
    return frozenset(methods | {extract_field_name(path) for m in mismatches for path in m.paths})


def _collect_feeders(links: Sequence[Link]) -> dict[tuple[str, str | None], frozenset[str]]:
    """Node and method -> what feeds it, by name."""
    feeders: dict[tuple[str, str | None], frozenset[str]] = {}
    for link in links:
        end = link.consumer.node, link.consumer.method
        feeders[end] = feeders.get(end, frozenset()) | {str(link.producer)}
    return feeders


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
