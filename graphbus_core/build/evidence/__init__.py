"""What code and people say of a mismatch: which field of the producer is which of the consumer.

Found for links that do not fit, and for no others, so a project that fits pays nothing. A test counts if it stood there
when the build began and passes as it stands; a test that this build wrote or changed says nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from graphbus_core.build.confine import sandbox
from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.confine.scratch import scratch_copy
from graphbus_core.build.evidence.reached import Reached, can_be_made
from graphbus_core.build.evidence.vouching import vouches
from graphbus_core.build.evidence.written import written
from graphbus_core.build.link import Linked, contracts_of
from graphbus_core.build.understand import Project as Understood
from graphbus_core.build.understand.callers import word_of
from graphbus_core.contracts.gaps import Gap, Kind, gaps
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Link, Mismatch
from graphbus_core.participants.rules.evidence import last

Found = Mapping[str, str]
TEST_TIMEOUT_S = 60.0


class Witnesses:
    """Looks for evidence in the project around `root`, the root of a scan. `leave_out`: the build's own folder.

    `whole` is the project's folder, where the user says it.
    """

    def __init__(self, root: Path, leave_out: Path | None = None, whole: Path | None = None) -> None:
        self.root, self.leave_out, self.whole = root, leave_out, whole
        self._passing: dict[str, bool] = {}

    def hear(
        self,
        agents: Sequence[AgentDefinition],
        linked: Linked,
        over: Mapping[str, bytes] | None = None,
        edited: Collection[str] = (),
    ) -> Linked:
        """The links, with what is known of each mismatch. `over`: texts that count in place of the files; `edited`:
        files that this build wrote."""
        if not linked.mismatches:
            return linked
        by_name = {a.name: a for a in agents}
        cycles = _cycles(linked.links)
        with _Asked(self, agents, over or {}, frozenset(edited)) as asked:
            told = tuple(
                replace(m, evidence=tuple(asked.of(m, by_name)), in_cycle=m.link.producer.node in cycles(m.link))
                for m in linked.mismatches
            )
        return replace(linked, mismatches=told)

    def passes(self, path: str, root: Path) -> bool:
        """Whether the tests of a file pass as they stand, in the sandbox; asked once a file."""
        if path not in self._passing:
            try:
                with scratch_copy(root, {}, self.leave_out, (path,)) as copy:
                    argv = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", path]
                    limits = sandbox.Limits(timeout_s=TEST_TIMEOUT_S, memory_mb=2048)
                    places = [str(copy), str(copy / self.root.relative_to(root))]
                    self._passing[path] = sandbox.run(argv, copy, at=root, limits=limits, python_path=places).ok
            except (Refusal, OSError, ValueError):
                self._passing[path] = False
        return self._passing[path]


class _Asked:
    """One state of the sources."""

    def __init__(
        self,
        by: Witnesses,
        agents: Sequence[AgentDefinition],
        over: Mapping[str, bytes],
        edited: frozenset[str],
    ) -> None:
        self.by, self.agents, self.over, self.edited = by, agents, over, edited

    @cached_property
    def whole(self) -> Understood:
        """The project around the scan, its tests and scripts with it."""
        return Understood.around(self.by.root, self.agents, root=self.by.whole, over=self.over)

    @cached_property
    def reached(self) -> Reached:
        """What of that project is run."""
        return Reached(self.whole.texts, frozenset(m.name for a in self.agents for m in a.methods))

    def __enter__(self) -> _Asked:
        return self

    def __exit__(self, *_: object) -> None:
        if "whole" in self.__dict__:
            self.whole.close()

    def of(self, mismatch: Mismatch, agents: Mapping[str, AgentDefinition]) -> Iterator[Found]:
        """Everything that is known of the gaps of one mismatch."""
        for sent, taken in contracts_of(mismatch.link, dict(agents)):
            if sent is None or taken is None:
                continue
            for gap in gaps(sent.json_schema, taken.json_schema):
                if gap.kind is Kind.MISSING and gap.unclaimed:
                    yield from self._gap(mismatch.link, gap, agents)

    def _gap(self, link: Link, gap: Gap, agents: Mapping[str, AgentDefinition]) -> Iterator[Found]:
        beside = gap.path[: len(gap.path) - len(last(gap.path))]
        ends = (agents[link.producer.node], agents[link.consumer.node])
        for other in gap.unclaimed:
            pair = {"sent": f"{beside}{other}", "taken": gap.path}
            for kind, says, where in (
                *self._flows(link, gap.path, pair["sent"]),
                *written(link, ends, gap, other, self._read),
            ):
                yield {**pair, "kind": kind, "says": says, "where": where}

    def _flows(self, link: Link, taken: str, sent: str) -> Iterator[tuple[str, str, str]]:
        if link.producer.method is None:
            return
        source, target = (
            f"{end.node}.{end.method}.{_keys(path)}" for end, path in ((link.producer, sent), (link.consumer, taken))
        )
        for one in self.whole.evidence(source, target):
            path, _, line = one.place.rpartition(":")
            if not self._works(link, path, int(line)):
                continue
            if one.kind != "tested":
                yield "flow", f"a call gives '{sent}' as '{taken}'", one.place
            elif self._is_edited(path) or not vouches(self.whole.texts.content(path), int(line)):
                continue
            elif self.by.passes(path, self.whole.root):
                yield "test", f"a passing test gives '{sent}' as '{taken}'", one.place

    def _works(self, link: Link, path: str, line: int) -> bool:
        """Whether the call of the consumer in this line is one that is run, and that Python takes."""
        word = link.consumer.method or ""
        code = self.whole.code_of(link.consumer.node, word)
        function = self.whole.texts[code.path].functions.get(code.name) if code is not None else None
        made = [c for c in self.whole.texts[path].calls if c.line == line and word in map(word_of, c.function)]
        if function is not None and not all(can_be_made(call, function) for call in made):
            return False
        return self.reached.is_run(path, line, word)

    def _read(self, path: str) -> bytes:
        try:
            return self.over[path] if path in self.over else (self.by.root / path).read_bytes()
        except OSError:
            return b""

    def _is_edited(self, path: str) -> bool:
        return any(path == one or path.endswith(f"/{one}") for one in self.edited)


def _keys(path: str) -> str:
    """`rows[].qty` as keys: `rows.[].qty`."""
    return path.replace("[]", ".[]")


def _cycles(links: Sequence[Link]) -> Callable[[Link], set[str]]:
    """Link -> the nodes that its consumer feeds, directly or by others."""
    feeds: dict[str, set[str]] = {}
    for link in links:
        feeds.setdefault(link.producer.node, set()).add(link.consumer.node)

    def reached(link: Link) -> set[str]:
        found: set[str] = set()
        todo = [link.consumer.node]
        while todo:
            new = feeds.get(todo.pop(), set()) - found
            found |= new
            todo += new
        return found

    return reached
