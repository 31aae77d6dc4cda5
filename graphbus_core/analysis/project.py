"""`ProjectAnalysis`: what is asked about a whole project, and nothing else. The files beside it give the answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.analysis.cache import FlowCache
from graphbus_core.analysis.connections import Connections
from graphbus_core.analysis.files import ProjectFiles, find_root
from graphbus_core.analysis.flow_types import BY_NAME, End, FileFlows, Flow, UnsureCall
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.schema import SchemaMethod

if TYPE_CHECKING:
    from graphbus_core.analysis.callers import Callers
    from graphbus_core.analysis.index import FunctionRef, Index
    from graphbus_core.analysis.link_inference import FlowCollector, Tracer
    from graphbus_core.analysis.objects import ObjectResolver
    from graphbus_core.analysis.type_checker.port import Diagnostic, Engine


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a link or a flow is believed. `kind`: declared, called, tested (by a call in a test), published, guessed."""

    kind: str
    place: str  # file:line
    text: str = ""

    def __str__(self) -> str:
        return f"{self.kind} at {self.place}"


@dataclass(frozen=True, slots=True)
class CallLink:
    """One link that calls show: what `producer` gives back reaches what `consumer` takes.

    `flows` say which fields. `own`: the consumer calls the producer in its own body, and so is fed by its own code.
    """

    producer: End
    consumer: End
    flows: tuple[Flow, ...]
    evidence: tuple[Evidence, ...]
    own: bool = False

    @property
    def id(self) -> str:
        """The name that a `Link` of the same ends has."""
        return f"{self.producer} => {self.consumer}"


@dataclass(frozen=True, slots=True)
class Use:
    """One place where a name is called. `whose`: ours, other, or unknown with the reason."""

    place: str
    whose: str
    why: str = ""


class ProjectAnalysis:
    """One project. Everything is read when it is first asked for, and kept.

    `agents` are the components whose links are asked for; without any, every class and function of the project is one
    (`Class.method`, `module.function`), which is what `infer` wants. `prefix` is where the agents' files lie below the
    root. `over` holds texts that count in place of those on the disk. `keep` is the file in which what calls show is
    kept from one run to the next.
    """

    def __init__(
        self,
        root: Path,
        agents: Iterable[AgentDefinition] = (),
        *,
        prefix: str = "",
        over: Mapping[str, bytes] | None = None,
        engine: Engine | None = None,
        keep: Path | None = None,
    ) -> None:
        self.root, self.engine, self._keep, self._over = root, engine, keep, dict(over or {})
        self.texts = ProjectFiles(root, over, prefix.strip("/"))
        self._prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
        self.agents = tuple(agents)

    @classmethod
    def from_folder(
        cls,
        folder: Path,
        agents: Iterable[AgentDefinition] = (),
        *,
        root: Path | None = None,
        over: Mapping[str, bytes] | None = None,
        engine: Engine | None = None,
        keep: Path | None = None,
    ) -> ProjectAnalysis:
        """The project that a folder (the root of a scan) belongs to. The paths of `over` are below that folder."""
        folder = folder.resolve()
        whole = find_root(folder, root).resolve()
        # A folder outside of any project is its own.
        if not folder.is_relative_to(whole):
            whole = folder
        inner = folder.relative_to(whole).as_posix()
        prefix = "" if inner == "." else inner
        texts = {f"{prefix}/{path}" if prefix else path: text for path, text in (over or {}).items()}
        return cls(whole, agents, prefix=prefix, over=texts, engine=engine, keep=keep)

    def add_texts(self, texts: Mapping[str, bytes]) -> ProjectAnalysis:
        """The same project with more files, by their path below the root; nothing of it is kept."""
        over = {**self._over, **texts}
        return ProjectAnalysis(self.root, self.agents, prefix=self._prefix, over=over, engine=self.engine)

    @cached_property
    def _tracer(self) -> Tracer:
        # Late: where nothing changed since the last run every answer is kept, and no value is traced.
        from graphbus_core.analysis.link_inference import Tracer

        return Tracer(self.texts, self.agents, self._prefix, self._connections)

    @cached_property
    def _whole_tracer(self) -> Tracer:
        """One that looks for callers in every file."""
        from graphbus_core.analysis.link_inference import Tracer

        return Tracer(self.texts, self.agents, self._prefix)

    @cached_property
    def _connections(self) -> Connections | None:
        """The files that can call into the agents; None where every class is one."""
        return Connections(self.texts, self.agents, self._prefix) if self.agents else None

    @property
    def index(self) -> Index:
        """What a name leads to, across files."""
        return self._tracer.index

    @property
    def objects(self) -> ObjectResolver:
        """What a value is."""
        return self._tracer.objects

    @property
    def callers(self) -> Callers:
        """Who calls a function, and with what."""
        return self._tracer.callers

    # ---- components

    def iter_contract_methods(self) -> Iterator[tuple[str, SchemaMethod]]:
        """Every method with a contract, with its component's name."""
        for agent in self.agents:
            for method in agent.methods:
                if method.input_schema is not None or method.output_schema is not None:
                    yield agent.name, method

    def find_code(self, component: str, method: str) -> FunctionRef | None:
        """The function behind a component's method; None where source does not tell."""
        code = self._tracer.find_code((component, method))
        return None if isinstance(code, bool) else code

    # ---- links and flows

    @cached_property
    def _words(self) -> frozenset[str]:
        if not self.agents:
            names = {w for p in self.texts for w in (f.rpartition(".")[2] for f in self.texts[p].functions)}
            return frozenset(n for n in names if not n.startswith("_")) | BY_NAME
        return frozenset(m.name for a in self.agents for m in a.methods) | BY_NAME

    @cached_property
    def _everything(self) -> tuple[tuple[Flow, ...], tuple[tuple[End, End, str], ...], tuple[UnsureCall, ...]]:
        cache = FlowCache(
            self._keep,
            self.texts,
            self.agents,
            self._prefix,
            lambda agent: self._tracer.find_family(agent),
            self._connections,
        )
        showings = cache.collect(self._collect_file_flows)
        flows = dict.fromkeys(flow for file_flows in showings for flow in file_flows.flows)
        flows.update(dict.fromkeys(flow for file_flows in showings for flow in file_flows.through))
        own = dict.fromkeys(pair for file_flows in showings for pair in file_flows.own)
        unsure = dict.fromkeys(call for file_flows in showings for call in file_flows.unsure)
        return tuple(flows), tuple(own), tuple(unsure)

    def _collect_file_flows(self, path: str) -> FileFlows:
        if self._connections is not None and path not in self._connections.connected:
            return FileFlows()
        # A file that calls no function of a component's name shows nothing, and is not parsed to know that.
        if path.endswith(".pyi") or self._spoken.isdisjoint(self.texts.find_called_words(path)):
            return FileFlows()
        return self._showings.collect(path)

    @cached_property
    def _spoken(self) -> frozenset[bytes]:
        return frozenset(word.encode() for word in self._words)

    @cached_property
    def _showings(self) -> FlowCollector:
        from graphbus_core.analysis.link_inference import FlowCollector

        tracer = self._tracer
        return FlowCollector(self.texts, tracer.callers, tracer.flows, tracer.find_component, self._words)

    def list_flows(self, consumer: str | None = None) -> tuple[Flow, ...]:
        """Every flow that calls show; with `consumer` (`Node.method`) those into or out of that method."""
        all_flows = self._everything[0]
        return all_flows if consumer is None else tuple(f for f in all_flows if str(f.target) == consumer)

    def find_evidence(self, source: str, target: str) -> tuple[Evidence, ...]:
        """The calls by which a field of one method's result reaches a field that another takes.

        Both are written `Node.method.field` (`Fetcher.fetch.quantity`, `Cleaner.clean.qty`); deeper keys follow with
        dots, elements as `[]`. Only values that arrive as they left count; and none of them where another call, or
        another way through the same one, makes something of what that method gives before it hands it on: one of the
        two is then wrong, and nobody here knows which.
        """
        from graphbus_core.analysis.overwrites import is_changed

        proofs: dict[Evidence, None] = {}
        for flow in self._everything[0]:
            if flow.whole or _render_address(flow.target, flow.target_keys) != target:
                continue
            # One way that makes something of the value puts all exact ones in doubt: either of the two may be the
            # mistake.
            if not flow.exact and source.startswith(f"{flow.source}."):
                return ()
            # What is caught around it may be that the call cannot be made: it is written, and proves nothing.
            if flow.exact and not flow.caught and _render_address(flow.source, flow.source_keys) == source:
                if is_changed(flow, self.texts, self._tracer.flows):
                    return ()
                proofs[self._build_evidence(flow.place, str(flow))] = None
        return tuple(proofs)

    @property
    def prefix(self) -> str:
        """Where the agents' files lie below the root, with its `/`."""
        return self._prefix

    def is_changed(self, call_link: CallLink, fields: Iterable[str]) -> bool:
        """Whether other code stores something in what a link carries, under one of these fields of the consumer."""
        from graphbus_core.analysis.overwrites import is_changed

        for flow in call_link.flows:
            if not flow.exact:
                continue
            ways = [replace(flow, source_keys=(f,)) for f in fields] if flow.whole and not flow.source_keys else [flow]
            if any(is_changed(way, self.texts, self._tracer.flows) for way in ways):
                return True
        return False

    def find_links(self, *, tests: bool = False) -> tuple[CallLink, ...]:
        """The links that calls show, by their ends; those that only a test shows are left out unless asked for."""
        flows: dict[tuple[End, End], list[Flow]] = {}
        for flow in self._everything[0]:
            # Only from a result into an input. A component's input on both sides is its own parameter handed on.
            if flow.source.side == "result" and flow.target.side == "input" and flow.source != flow.target:
                flows.setdefault((flow.source, flow.target), []).append(flow)
        call_links: list[CallLink] = []
        for (source, target), some in flows.items():
            evidence = tuple(dict.fromkeys(self._build_evidence(flow.place, "") for flow in some))
            if tests or any(e.kind == "called" for e in evidence):
                call_links.append(CallLink(source, target, tuple(some), evidence))
        linked = {
            (s.producer.component, s.producer.method, s.consumer.component, s.consumer.method) for s in call_links
        }
        calls: dict[tuple[End, End], list[Evidence]] = {}
        for producer, consumer, place in self._everything[1]:
            calls.setdefault((producer, consumer), []).append(self._build_evidence(place, ""))
        for (producer, consumer), places in calls.items():
            # Linked already, so that it calls the producer itself says nothing new.
            if (producer.component, producer.method, consumer.component, consumer.method) not in linked:
                call_links.append(CallLink(producer, consumer, (), tuple(dict.fromkeys(places)), own=True))
        # Sorted: what is first found depends on which files changed since the last run.
        return tuple(sorted(call_links, key=lambda s: s.id))

    def list_unsure_calls(self) -> tuple[UnsureCall, ...]:
        """The calls of which nobody can tell whether they are a component's: places to look at, never findings."""
        return self._everything[2]

    def _build_evidence(self, place: str, text: str) -> Evidence:
        path = place.rpartition(":")[0]
        return Evidence("tested" if self.texts.is_test(path) else "called", place, text)

    def find_uses(self, method: str) -> tuple[Use, ...]:
        """Every call whose last word is the method's name (`Node.method`): ours, another's, or unknown and why.

        Also in files that nothing connects to the agents: who edits asks, and what nobody can tell refuses the edit.
        """
        tracer = self._whole_tracer
        node, _, word = method.rpartition(".")
        classified: list[Use] = []
        for site in tracer.callers.find_sites(word):
            ends = [end for end, _, _ in tracer.flows.find_reached_ends(site)]
            dark = tracer.callers.find_targets(site)[1]
            if any((end.component, end.method) == (node, word) for end in ends):
                classified.append(Use(site.place, "unknown" if dark else "ours", "".join(dark[:1])))
            else:
                classified.append(Use(site.place, "unknown" if dark else "other", "".join(dark[:1])))
        return tuple(classified)

    # ---- the engine

    def check_types(self) -> tuple[Diagnostic, ...] | None:
        """What the type checker finds in the whole project, contracts written as types: ask it before and after a
        change, and compare by `engine.port.new_findings`. None: no checker is installed. Raises EngineFailed.
        """
        from graphbus_core.analysis.type_checker.contract_types import check_types

        return None if self._engine is None else check_types(self, self._engine)

    def compare_types(self, after: ProjectAnalysis) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]] | None:
        """What the checker finds here and in the project after a change, for `engine.port.new_findings`.

        Of this state only what may be the same as a finding after it. None and EngineFailed as for `check_types`.
        """
        from graphbus_core.analysis.type_checker.contract_types import compare_types

        return None if self._engine is None else compare_types(self, after, self._engine)

    @cached_property
    def _engine(self) -> Engine | None:
        from graphbus_core.analysis.type_checker import find_engine

        return self.engine if self.engine is not None else find_engine(self.root)

    def close(self) -> None:
        """End the engine's server, if one runs."""
        # Asked without making it: closing must not start a checker.
        if "_engine" in self.__dict__ and self._engine is not None:
            self._engine.close()

    def __enter__(self) -> ProjectAnalysis:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _render_address(end: End, keys: tuple[str, ...]) -> str:
    return ".".join([str(end), *keys])
