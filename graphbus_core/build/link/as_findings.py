"""What linking and lint found, as findings with a code, a file of the project and a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from graphbus_core.build.link import Linked
from graphbus_core.build.link.circles import Broken, broken_imports
from graphbus_core.build.scan import Project
from graphbus_core.build.understand.text.files import find_root
from graphbus_core.contracts.disagreement import Finding as Disagreement
from graphbus_core.findings import Finding, Level, Related
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Endpoint, Mismatch

RETURNED = {"missing_returned_field", "undeclared_returned_field", "returned_type"}


def findings(project: Project, linked: Linked, disagreements: Iterable[Disagreement] = ()) -> tuple[Finding, ...]:
    """Every finding of a scanned and linked project, in the order in which they are shown. Ambiguity is a note."""
    told = _Told(project)
    return (
        *(told.mismatch(one) for one in linked.mismatches),
        *(told.dangling(one) for one in linked.dangling if one.is_method),
        *(told.unreadable(one) for one in linked.unreadable),
        *(told.ambiguous(one) for one in linked.ambiguous),
        *(told.disagreement(one) for one in disagreements),
        *(told.circle(one) for one in broken_imports(project)),
        *told.namesakes(),
    )


class _Told:
    def __init__(self, project: Project) -> None:
        self.project = project
        # Findings are named from the project's root and the scan may have begun below it: editors open files from the
        # root.
        root = find_root(project.root, project.whole)
        inside = project.root.resolve()
        whole = root.resolve()
        prefix = inside.relative_to(whole).as_posix() if inside.is_relative_to(whole) else "."
        self.prefix = "" if prefix == "." else f"{prefix}/"

    def place(
        self, agent: AgentDefinition | None, method: str | None = None, topic: str | None = None
    ) -> dict[str, Any]:
        """File and line of a method, a topic's publication or a class."""
        if agent is None:
            return {}
        found = agent.method(method) if method else None
        # An inherited method stands in its parent's file; the finding must lead to the line that can be edited.
        inherited = found.metadata.get("inherited_from") if found else None
        file = inherited["source_file"] if inherited else agent.source_file
        lines = [p.lineno for p in agent.publications if topic and p.topic.name == topic]
        line = found.lineno if found else next(iter(lines), agent.metadata.get("lineno", 1))
        return {"file": f"{self.prefix}{file}", "line": line or 1}

    def _end(self, end: Endpoint) -> dict[str, Any]:
        return self.place(self.project.agent(end.node), end.method, end.topic)

    def _named(self, where: str) -> dict[str, Any]:
        """The place of `Node.method` or `Node.method input`; a node's name may have dots too."""
        name = where.partition(" ")[0]
        # A component's name may hold dots, so the name is matched against those there are, and not cut at the first.
        for agent in self.project.agents:
            if name == agent.name or name.startswith(f"{agent.name}."):
                return self.place(agent, name[len(agent.name) + 1 :].partition(".")[0] or None)
        return {}

    def mismatch(self, one: Mismatch) -> Finding:
        """GB101, or GB102 where nobody could tell. It stands at the consumer, with the producer beside it."""
        link = one.link
        message = f"{link.producer} may send what {link.consumer} rejects"
        if one.compatible is None:
            message = f"whether {link.producer} fits {link.consumer} could not be decided"
        return Finding(
            "GB101" if one.compatible is False else "GB102",
            message,
            subject=link.id,
            reasons=one.reasons,
            payload=one.counterexample,
            has_payload=one.counterexample is not None,
            # At the consumer: it is the one that breaks. The producer stands beside it, one click away.
            related=(Related(f"{link.producer} sends it", **self._end(link.producer)),),
            **self._end(link.consumer),
        )

    def dangling(self, one: Any) -> Finding:
        """GB103."""
        return Finding("GB103", str(one), subject=f"{one.where} -> {one.name}", **self._named(one.where))

    def unreadable(self, text: str) -> Finding:
        """GB104."""
        where = text.partition(":")[0]
        return Finding("GB104", f"{text.rstrip('.')}. It is treated as undeclared", subject=where, **self._named(where))

    def ambiguous(self, one: Any) -> Finding:
        """GB105, which fails nothing."""
        place = self.place(self.project.agent(one.consumer))
        return Finding("GB105", str(one), subject=f"{one.producer} ? {one.consumer}", level=Level.NOTE, **place)

    def circle(self, one: Broken) -> Finding:
        """GB106."""
        # Sorted: the same circle is the same finding, wherever one entered it.
        subject = " -> ".join(sorted(one.circle))
        return Finding("GB106", str(one), f"{self.prefix}{one.path}", one.line, subject)

    def namesakes(self) -> Iterator[Finding]:
        """GB107, which fails nothing: each of them goes by its whole name."""
        by_name: dict[str, list[AgentDefinition]] = {}
        for agent in self.project.agents:
            by_name.setdefault(agent.class_name, []).append(agent)
        for name, some in by_name.items():
            if len(some) > 1:
                listed = " and ".join(f"{a.name} ({self.prefix}{a.source_file})" for a in some)
                message = f"{len(some)} components are classes of the name {name}: {listed}"
                yield Finding("GB107", message, subject=name, level=Level.NOTE, **self.place(some[-1]))

    def disagreement(self, one: Disagreement) -> Finding:
        """GB201 or GB202: a contract against the code under it."""
        place = self._named(one.method)
        return Finding(
            "GB202" if one.kind in RETURNED else "GB201",
            one.message,
            place.get("file", ""),
            one.lineno or place.get("line", 1),
            f"{one.method} {one.kind} {getattr(one.fix, 'field', '')}".rstrip(),
            Level.WARNING,
            fix=f"{one.fix.op} {one.fix.address}" if one.fix else "",
        )


def sources(project: Project) -> Iterator[tuple[str, str]]:
    """The files of the project with their texts, where comments may ignore a finding; named as findings name them."""
    prefix = _Told(project).prefix
    for path, data in project.sources.items():
        if b"graphbus: ignore" in data:
            yield f"{prefix}{path}", data.decode("utf-8", "replace")
