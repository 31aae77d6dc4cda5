"""Which component's method a function is, and all that traces values between them, made for one project.

It stands beside `project` so that a run in which nothing changed never loads it: every answer of that run is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from graphbus_core.analysis.callers import MAX_SITES, Callers, CallSite, read_called_word
from graphbus_core.analysis.connections import Connections
from graphbus_core.analysis.files import ProjectFiles, ReadTracker
from graphbus_core.analysis.flow_types import End, FileFlows, Flow, UnsureCall
from graphbus_core.analysis.flows import MAX_INLINED, Components, Flows
from graphbus_core.analysis.index import ClassRef, Family, FunctionRef, Index, Instance
from graphbus_core.analysis.objects import ObjectResolver
from graphbus_core.model.agent_def import AgentDefinition

# What the calls of each file show: flows between components, components that call one another, and what is unsure.
#
# File by file, because that is how a project is edited: what a file showed holds until it, or a file that it was
# understood by, changes. `kept` says of which files that is so.


MAX_HELPERS = 3  # functions between a component's method and a call that it makes by them


class FlowCollector:
    """Asks file after file. `words` are the names of the components' methods."""

    def __init__(
        self, texts: ProjectFiles, callers: Callers, flows: Flows, component: Components, words: frozenset[str]
    ) -> None:
        self.texts, self._callers, self._flows, self._component = texts, callers, flows, component
        self._words = words

    def collect(self, path: str) -> FileFlows:
        """What the calls of one file show."""
        flows: dict[Flow, None] = {}
        own: dict[tuple[End, End, str], None] = {}
        unsure: dict[UnsureCall, None] = {}
        handing: dict[str, tuple[FunctionRef, End]] = {}
        for site in sorted(self._iter_sites(path), key=lambda s: s.number):
            reached = self._flows.find_reached_ends(site)
            inside = self._find_component_method(site.path, site.call.inside)
            for end, function, shift in reached:
                flows.update(dict.fromkeys(self._flows.trace_into(site, end, function, shift)))
                if self._flows.is_cut_short:
                    unsure[
                        UnsureCall(site.place, _read_word(site), f"its values take more than {MAX_INLINED} ways here")
                    ] = None
                for _, outer in self._find_running_methods(site.path, site.call.inside):
                    if outer != end:
                        own[end, outer, site.place] = None
            if reached and inside is not None:
                handing[inside[0].name] = inside
            if not reached:
                for why in self._callers.find_targets(site)[1][:1]:
                    unsure[UnsureCall(site.place, _read_word(site), why)] = None
        through = [flow for _, (code, end) in sorted(handing.items()) for flow in self._flows.trace_out_of(code, end)]
        return FileFlows(tuple(flows), tuple(dict.fromkeys(through)), tuple(own), tuple(unsure))

    def _iter_sites(self, path: str) -> Iterator[CallSite]:
        indexed = self._callers.index_file(path)
        numbers: set[int] = set()
        for word in self._words & indexed.keys():
            for site in indexed[word]:
                if site.number not in numbers:
                    numbers.add(site.number)
                    yield site

    def _find_running_methods(self, path: str, name: str, steps: int = 0) -> tuple[tuple[FunctionRef, End], ...]:
        """The components' methods whose own code runs a function: in their body, or by helpers that they call."""
        inside = self._find_component_method(path, name)
        if inside is not None or not name or steps >= MAX_HELPERS:
            return (inside,) if inside is not None else ()
        methods: dict[tuple[FunctionRef, End], None] = {}
        for site, _ in islice(self._callers.find_calls(path, name), MAX_SITES):
            methods.update(dict.fromkeys(self._find_running_methods(site.path, site.call.inside, steps + 1)))
        return tuple(methods)

    def _find_component_method(self, path: str, name: str) -> tuple[FunctionRef, End] | None:
        """The component's method that a function is."""
        function = self.texts[path].functions.get(name)
        if function is None:
            return None
        on = Instance(path, function.cls) if function.cls else None
        code = FunctionRef(path, name, on)
        component_method = self._component(code)
        return (code, End(*component_method)) if component_method is not None else None


def _read_word(site: CallSite) -> str:
    return next((w for w in map(read_called_word, site.call.function) if w), "")


class Tracer:
    """Names, objects, callers and flows of one project, and whose they are. `prefix` as in `Project`, with its `/`."""

    def __init__(
        self,
        texts: ProjectFiles,
        agents: tuple[AgentDefinition, ...],
        prefix: str,
        connections: Connections | None = None,
    ) -> None:
        self.texts, self.agents, self._prefix = texts, agents, prefix
        self.index = Index(texts)
        self.objects = ObjectResolver(self.index)
        self.callers = Callers(self.index, self.objects, connections)
        # By class as well as by file: a node may be made from a class of another module.
        self.objects.nodes.update({a.name: Instance(prefix + a.source_file, a.class_name) for a in agents})
        self.flows = Flows(self.index, self.objects, self.callers, self.find_component, self.find_code)

    @cached_property
    def _nodes(self) -> dict[tuple[str, str], AgentDefinition]:
        return {(self._prefix + a.source_file, a.class_name): a for a in self.agents}

    @cached_property
    def _by_name(self) -> dict[str, AgentDefinition]:
        short: dict[str, list[AgentDefinition]] = {}
        for agent in self.agents:
            short.setdefault(agent.class_name.rpartition(".")[2], []).append(agent)
        return {**{k: v[0] for k, v in short.items() if len(v) == 1}, **{a.name: a for a in self.agents}}

    def find_component(self, code: FunctionRef) -> tuple[str, str] | None:
        method = code.name.rpartition(".")[2]
        if not self.agents:
            return self._find_any_component(code, method)
        on = code.on or _find_class(self.index, code)
        agent = self._nodes.get((on.path, on.name)) if on is not None else self._functions.get(code.path)
        # A function on its own belongs to a module that was made a component; otherwise a class decides.
        if agent is None and on is not None:
            self.texts.reads.now.add(ReadTracker.FAMILIES)
            heirs = self._heirs.get((on.path, on.name), ())
            # An inherited method is the heir's only where there is one heir. Of two nobody can say which is called.
            agent = heirs[0] if len(heirs) == 1 else None
        return (agent.name, method) if agent is not None and agent.method(method) is not None else None

    @cached_property
    def _functions(self) -> dict[str, AgentDefinition]:
        """File -> the component that its functions are."""
        return {path: a for (path, _), a in self._nodes.items() if a.metadata.get("plain") == "functions"}

    @cached_property
    def _heirs(self) -> dict[tuple[str, str], list[AgentDefinition]]:
        """Class -> the nodes that come from it."""
        heirs: dict[tuple[str, str], list[AgentDefinition]] = {}
        self.texts.reads.begin()
        for agent in self._nodes.values():
            for class_key in self.find_family(agent)[1:]:
                if class_key is not None:
                    heirs.setdefault(class_key, []).append(agent)
        self.texts.reads.end(passes_on=False)  # `FAMILIES` tells it
        return heirs

    def find_family(self, agent: AgentDefinition) -> Family:
        return self.index.find_family(self._prefix + agent.source_file, agent.class_name)

    def _find_any_component(self, code: FunctionRef, method: str) -> tuple[str, str] | None:
        # What is private or in a test is not part of an interface, and would drown what is.
        if method.startswith("_") or self.texts.is_test(code.path):
            return None
        on = code.on or _find_class(self.index, code)
        if on is not None:
            return on.name.rpartition(".")[2], method
        return code.path.rpartition("/")[2].removesuffix(".py"), method

    def find_code(self, component_method: tuple[str, str]) -> FunctionRef | bool:
        """The function behind `("Cleaner", "clean")`."""
        agent = self._by_name.get(component_method[0])
        if agent is None or agent.method(component_method[1]) is None:
            return False
        if agent.metadata.get("plain") == "functions":
            return FunctionRef(self._prefix + agent.source_file, component_method[1])
        on = Instance(self._prefix + agent.source_file, agent.class_name)
        for kind in self.objects.find_member(on, component_method[1]):
            if isinstance(kind, FunctionRef):
                return kind
        # Source does not tell which function (a decorator, an attribute), but the method is there: a link is still a
        # link.
        return True


def _find_class(index: Index, code: FunctionRef) -> ClassRef | None:
    function = index.find_function(code)
    return ClassRef(code.path, function.cls) if function is not None and function.cls else None
