"""Definitions -> links, graph, mismatches (design §5).

links          which producer's data reaches which consumer, and how certain that is
mismatches     links whose contracts do not fit, each with the payload that proves it
graph_builder  who needs whom, and so who is activated first
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphbus_core.build.link.graph_builder import GraphBuilder
from graphbus_core.build.link.links import Ambiguous, Dangling, LinkFinder, contracts_of
from graphbus_core.build.link.mismatches import check_links
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph, Link, LinkOrigin, Mismatch

if TYPE_CHECKING:
    from graphbus_core.build.scan import Project as Scanned
    from graphbus_core.build.understand import Project as Understood, Seen

_FIRST = re.compile(r"[.\[]")  # where a path leaves its first field
__all__ = ["Ambiguous", "Dangling", "GraphBuilder", "LinkFinder", "Linked", "contracts_of", "link", "link_project"]


@dataclass(frozen=True)
class Linked:
    """What linking found. `unchecked`: links of which a side has no contract. `undeclared`: methods without any,
    as `Node.method`. `dangling`: names in `@depends_on` that are not node or method of this build. `unreadable`:
    contracts that were written and mean nothing, with the reason; they are treated as undeclared. `guesses`: links that
    were only guessed from a class dependency and would not fit; they are shown, and are not findings."""

    graph: AgentGraph
    links: tuple[Link, ...]
    mismatches: tuple[Mismatch, ...]
    ambiguous: tuple[Ambiguous, ...]
    undeclared: tuple[str, ...]
    unchecked: tuple[Link, ...] = ()
    dangling: tuple[Dangling, ...] = ()
    unreadable: tuple[str, ...] = ()
    guesses: tuple[Mismatch, ...] = ()

    @property
    def findings(self) -> int:
        """What a validation fails on: mismatches, methods in `@depends_on` that are not there, unreadable contracts."""
        return len(self.mismatches) + sum(d.is_method for d in self.dangling) + len(self.unreadable)

    def to_dict(self) -> dict[str, Any]:
        """The form in `build_summary.json` and of `validate --json`."""
        return {
            "links": [one.to_dict() for one in self.links],
            "mismatches": [one.to_dict() for one in self.mismatches],
            "ambiguous": [one.to_dict() for one in self.ambiguous],
            "undeclared": list(self.undeclared),
            "unchecked": [one.id for one in self.unchecked],
            "dangling": [one.to_dict() for one in self.dangling],
            "unreadable": list(self.unreadable),
            **({"guesses": [one.to_dict() for one in self.guesses]} if self.guesses else {}),
        }


def link_project(
    project: Scanned,
    *,
    agents: Sequence[AgentDefinition] | None = None,
    over: Mapping[str, bytes] | None = None,
    keep: Path | None = None,
) -> Linked:
    """The links of a scanned project, with what calls anywhere in the whole project show.

    `agents` and `over` (texts by path below the scan's root) are the project after a change that is not written yet.
    `keep` is where what calls show is kept for the next run.
    """
    from graphbus_core.build.understand import Project
    from graphbus_core.collector import quiet_collector

    known = project.agents if agents is None else agents
    # The facts of hundreds of files are made and kept: a collector that walks them again and again costs a quarter.
    with (
        quiet_collector(),
        Project.around(project.root, known, root=project.whole, over=over, keep=keep) as understood,
    ):
        seen = understood.links()
        everyone = (*known, *project.external)
        found = link(everyone, seen)
        doubtful = _doubtful(found, seen, understood)
        if not doubtful:
            return found
        return link(everyone, [_inexact(one) if one.id in doubtful else one for one in seen])


def _doubtful(found: Linked, seen: Sequence[Seen], project: Understood) -> frozenset[str]:
    """Links that calls show and that do not fit, where other code changes the very fields before they arrive."""
    by_id = {one.id: one for one in seen}
    wrong = {m.link.id: m for m in found.mismatches if m.link.origin is LinkOrigin.CALL and m.link.id in by_id}
    fields = {key: {_FIRST.split(path)[0] for path in m.paths} for key, m in wrong.items()}
    return frozenset(key for key in wrong if project.changed(by_id[key], sorted(fields[key])))


def _inexact(one: Seen) -> Seen:
    """The same link, of which nothing is known but that it is there."""
    return replace(one, flows=tuple(replace(flow, exact=False) for flow in one.flows))


def link(agents: Sequence[AgentDefinition], seen: Sequence[Seen] = ()) -> Linked:
    """Find and check every link between agents, and put the agents in order. Pure; quick enough to be run again.

    `seen` are the links that calls show (`link_project` asks for them).
    """
    found = LinkFinder(agents, seen).find()
    mismatches, unchecked = check_links(agents, found.links)
    return Linked(
        graph=GraphBuilder(agents, found.links).build(),
        links=found.links,
        mismatches=tuple(m for m in mismatches if not m.link.guessed),
        guesses=tuple(m for m in mismatches if m.link.guessed),
        ambiguous=found.ambiguous,
        undeclared=tuple(
            f"{agent.name}.{method.name}"
            for agent in agents
            for method in agent.methods
            if method.input_schema is None and method.output_schema is None
        ),
        unchecked=unchecked,
        dangling=found.dangling,
        unreadable=tuple(
            f"{agent.name}.{where}: {why}"
            for agent in agents
            for where, why in agent.metadata.get("unreadable", {}).items()
        ),
    )
