"""Definitions -> links, graph, mismatches (design §5).

links          which producer's data reaches which consumer, and how certain that is
mismatches     links whose contracts do not fit, each with the payload that proves it
graph_builder  who needs whom, and so who is activated first
"""

from __future__ import annotations

import marshal
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphbus_core.analysis.links.field_mappings import check_mapping
from graphbus_core.analysis.links.finder import (
    AmbiguousDependency as AmbiguousDependency,
    DanglingDependency as DanglingDependency,
    GraphBuilder as GraphBuilder,
    LinkFinder as LinkFinder,
    find_link_contracts,
)
from graphbus_core.contracts import Contract, Reason, Verdict, check
from graphbus_core.contracts.verdict import FITS
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph, Link, LinkOrigin, Mismatch
from graphbus_core.model.schema import Schema

if TYPE_CHECKING:
    from graphbus_core.analysis import CallLink, ProjectAnalysis as Understood
    from graphbus_core.analysis.scan import Project as Scanned

__all__ = [
    "AmbiguousDependency",
    "DanglingDependency",
    "GraphBuilder",
    "LinkFinder",
    "LinkResult",
    "find_link_contracts",
    "link",
    "link_project",
]

# Links whose contracts do not fit (conflict type 1 of seed 000), each with the payload that proves it.


KEPT_VERDICTS = 20_000  # checks are pure, and the gates of a commit ask the same ones again
# By content and not by link: hundreds of links share a few contracts.
_VERDICTS: dict[tuple[bytes, bytes], Verdict] = {}


def check_links(
    agents: Sequence[AgentDefinition], links: Sequence[Link]
) -> tuple[tuple[Mismatch, ...], tuple[Link, ...]]:
    """The mismatches, and the links that could not be checked because a side has no contract."""
    by_name = {agent.name: agent for agent in agents}
    keys: dict[int, bytes] = {}  # id of a JSON Schema -> its bytes; the agents keep the schemas alive
    mismatches: list[Mismatch] = []
    unchecked: list[Link] = []
    for link in links:
        pairs = find_link_contracts(link, by_name)
        # Its own code feeds such a method, so nothing is missing where no contract is declared.
        if not link.own and any(sent is None or accepted is None for sent, accepted in pairs):
            unchecked.append(link)
        for sent, accepted in pairs:
            if (sent is None or accepted is None) and link.mapping is None:
                continue
            verdict = FITS if sent is None or accepted is None else _check_cached(sent, accepted, keys)
            if link.mapping is not None:
                verdict = check_mapping(link, link.mapping, by_name, verdict)
            if verdict.compatible is not True:
                # A counterexample shows one way to fail. Who repairs wants to know all of them at once.
                known = {reason.path for reason in verdict.reasons}
                further = [r for r in _find_field_reasons(sent, accepted, keys) if r.path not in known]
                mismatches.append(build_mismatch(link, replace(verdict, reasons=(*verdict.reasons, *further))))
                break  # one proof a link is enough
    return tuple(mismatches), tuple(unchecked)


def build_mismatch(link: Link, verdict: Verdict) -> Mismatch:
    """A verdict that is not a yes, as the nouns say it."""
    return Mismatch(
        link=link,
        compatible=verdict.compatible,
        reasons=tuple(reason.message for reason in verdict.reasons),
        paths=tuple(dict.fromkeys(reason.path for reason in verdict.reasons if reason.path)),
        counterexample=verdict.counterexample if verdict.has_counterexample else None,
    )


def _find_field_reasons(sent: Schema | None, accepted: Schema | None, keys: dict[int, bytes]) -> Iterator[Reason]:
    """What does not fit, field by field: one counterexample seldom shows every reason."""
    if sent is None or accepted is None:
        return
    for name, accepted_field in accepted.fields.items():
        if name not in sent.fields:
            if name in accepted.required:
                text = f"{name} is required by the consumer; the producer does not send it"
                yield Reason("missing_field", name, text)
            continue
        if name in accepted.required and name not in sent.required:
            text = f"{name} is required by the consumer; the producer may leave it out"
            yield Reason("optional_field", name, text)
        verdict = _check_cached(_extract_field(sent, sent.fields[name]), _extract_field(accepted, accepted_field), keys)
        if verdict.compatible is not True:
            for reason in verdict.reasons:
                yield _nest_reason(name, reason)


def _extract_field(whole: Schema, field: Mapping[str, Any]) -> Schema:
    # A field's own schema refers to definitions of the whole, so they go with it.
    definitions = whole.json_schema.get("$defs")
    return Schema({**field, "$defs": definitions} if definitions else field)


def _nest_reason(name: str, reason: Reason) -> Reason:
    """A reason about a field's value, as a reason about the payload."""
    if not reason.path:
        return Reason(reason.kind, name, reason.message.replace("the payload", name, 1))
    path = f"{name}{reason.path}" if reason.path.startswith("[") else f"{name}.{reason.path}"
    return Reason(reason.kind, path, reason.message.replace(reason.path, path, 1))


def _make_key(schema: Mapping[str, Any], keys: dict[int, bytes]) -> bytes:
    key = keys.get(id(schema))
    if key is None:
        key = keys[id(schema)] = marshal.dumps(dict(schema), 2)  # quicker than JSON; version 2 knows no references
    return key


def _check_cached(sent: Schema, accepted: Schema, keys: dict[int, bytes]) -> Verdict:
    pair = _make_key(sent.json_schema, keys), _make_key(accepted.json_schema, keys)
    verdict = _VERDICTS.get(pair)
    if verdict is None:
        verdict = check(Contract(sent.json_schema), Contract(accepted.json_schema))
        # Emptied and not aged: a build asks the same questions in rounds, and the next one fills it with what it
        # needs.
        if len(_VERDICTS) >= KEPT_VERDICTS:
            _VERDICTS.clear()
        _VERDICTS[pair] = verdict
    return verdict


_FIRST = re.compile(r"[.\[]")  # where a path leaves its first field


@dataclass(frozen=True)
class LinkResult:
    """What linking found. `unchecked`: links of which a side has no contract. `undeclared`: methods without any,
    as `Node.method`. `dangling`: names in `@depends_on` that are not node or method of this build. `unreadable`:
    contracts that were written and mean nothing, with the reason; they are treated as undeclared. `guesses`: links that
    were only guessed from a class dependency and would not fit; they are shown, and are not findings."""

    graph: AgentGraph
    links: tuple[Link, ...]
    mismatches: tuple[Mismatch, ...]
    ambiguous: tuple[AmbiguousDependency, ...]
    undeclared: tuple[str, ...]
    unchecked: tuple[Link, ...] = ()
    dangling: tuple[DanglingDependency, ...] = ()
    unreadable: tuple[str, ...] = ()
    guesses: tuple[Mismatch, ...] = ()

    @property
    def findings(self) -> int:
        """What a validation fails on: mismatches, methods in `@depends_on` that are not there, unreadable contracts."""
        return len(self.mismatches) + sum(d.is_method for d in self.dangling) + len(self.unreadable)

    def to_dict(self) -> dict[str, Any]:
        """The form in `build_summary.json` and of `validate --json`."""
        return {
            "links": [item.to_dict() for item in self.links],
            "mismatches": [item.to_dict() for item in self.mismatches],
            "ambiguous": [item.to_dict() for item in self.ambiguous],
            "undeclared": list(self.undeclared),
            "unchecked": [item.id for item in self.unchecked],
            "dangling": [item.to_dict() for item in self.dangling],
            "unreadable": list(self.unreadable),
            **({"guesses": [item.to_dict() for item in self.guesses]} if self.guesses else {}),
        }


def link_project(
    project: Scanned,
    *,
    agents: Sequence[AgentDefinition] | None = None,
    over: Mapping[str, bytes] | None = None,
    keep: Path | None = None,
) -> LinkResult:
    """The links of a scanned project, with what calls anywhere in the whole project show.

    `agents` and `over` (texts by path below the scan's root) are the project after a change that is not written yet.
    `keep` is where what calls show is kept for the next run.
    """
    from graphbus_core.analysis import ProjectAnalysis
    from graphbus_core.gc_control import pause_garbage_collection

    current_agents = project.agents if agents is None else agents
    # The facts of hundreds of files are made and kept: a collector that walks them again and again costs a quarter.
    with (
        pause_garbage_collection(),
        ProjectAnalysis.from_folder(
            project.root, current_agents, root=project.whole, over=over, keep=keep
        ) as understood,
    ):
        call_links = understood.find_links()
        everyone = (*current_agents, *project.external)
        result = link(everyone, call_links)
        doubtful = _find_doubtful(result, call_links, understood)
        if not doubtful:
            return result
        return link(
            everyone, [_mark_inexact(call_link) if call_link.id in doubtful else call_link for call_link in call_links]
        )


def _find_doubtful(result: LinkResult, call_links: Sequence[CallLink], project: Understood) -> frozenset[str]:
    """Links that calls show and that do not fit, where other code changes the very fields before they arrive."""
    by_id = {call_link.id: call_link for call_link in call_links}
    wrong = {m.link.id: m for m in result.mismatches if m.link.origin is LinkOrigin.CALL and m.link.id in by_id}
    fields = {key: {_FIRST.split(path)[0] for path in m.paths} for key, m in wrong.items()}
    return frozenset(key for key in wrong if project.is_changed(by_id[key], sorted(fields[key])))


def _mark_inexact(call_link: CallLink) -> CallLink:
    """The same link, of which nothing is known but that it is there."""
    return replace(call_link, flows=tuple(replace(flow, exact=False) for flow in call_link.flows))


def link(agents: Sequence[AgentDefinition], call_links: Sequence[CallLink] = ()) -> LinkResult:
    """Find and check every link between agents, and put the agents in order. Pure; quick enough to be run again.

    `seen` are the links that calls show (`link_project` asks for them).
    """
    discovered = LinkFinder(agents, call_links).find()
    mismatches, unchecked = check_links(agents, discovered.links)
    return LinkResult(
        graph=GraphBuilder(agents, discovered.links).build(),
        links=discovered.links,
        mismatches=tuple(m for m in mismatches if not m.link.guessed),
        guesses=tuple(m for m in mismatches if m.link.guessed),
        ambiguous=discovered.ambiguous,
        undeclared=tuple(
            f"{agent.name}.{method.name}"
            for agent in agents
            for method in agent.methods
            if method.input_schema is None and method.output_schema is None
        ),
        unchecked=unchecked,
        dangling=discovered.dangling,
        unreadable=tuple(
            f"{agent.name}.{where}: {why}"
            for agent in agents
            for where, why in agent.metadata.get("unreadable", {}).items()
        ),
    )
