"""Which component's method a function is, and all that traces values between them, made for one project.

It stands beside `project` so that a run in which nothing changed never loads it: every answer of that run is kept.
"""

from __future__ import annotations

from functools import cached_property

from graphbus_core.build.understand.callers import Callers
from graphbus_core.build.understand.flows import Flows
from graphbus_core.build.understand.index import Code, Family, Index, Thing, Type
from graphbus_core.build.understand.objects import Objects
from graphbus_core.build.understand.text.files import Reads, Texts
from graphbus_core.model.agent_def import AgentDefinition


class Tracer:
    """Names, objects, callers and flows of one project, and whose they are. `prefix` as in `Project`, with its `/`."""

    def __init__(self, texts: Texts, agents: tuple[AgentDefinition, ...], prefix: str) -> None:
        self.texts, self.agents, self._prefix = texts, agents, prefix
        self.index = Index(texts)
        self.objects = Objects(self.index)
        self.callers = Callers(self.index, self.objects)
        # By class as well as by file: a node may be made from a class of another module.
        self.objects.nodes.update({a.name: Thing(prefix + a.source_file, a.class_name) for a in agents})
        self.flows = Flows(self.index, self.objects, self.callers, self.component, self.code_of)

    @cached_property
    def _nodes(self) -> dict[tuple[str, str], AgentDefinition]:
        return {(self._prefix + a.source_file, a.class_name): a for a in self.agents}

    @cached_property
    def _by_name(self) -> dict[str, AgentDefinition]:
        short: dict[str, list[AgentDefinition]] = {}
        for agent in self.agents:
            short.setdefault(agent.class_name.rpartition(".")[2], []).append(agent)
        return {**{k: v[0] for k, v in short.items() if len(v) == 1}, **{a.name: a for a in self.agents}}

    def component(self, code: Code) -> tuple[str, str] | None:
        method = code.name.rpartition(".")[2]
        if not self.agents:
            return self._any_component(code, method)
        on = code.on or _class_of(self.index, code)
        agent = self._nodes.get((on.path, on.name)) if on is not None else self._functions.get(code.path)
        # A function on its own belongs to a module that was made a component; otherwise a class decides.
        if agent is None and on is not None:
            self.texts.reads.now.add(Reads.FAMILIES)
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
        found: dict[tuple[str, str], list[AgentDefinition]] = {}
        self.texts.reads.begin()
        for agent in self._nodes.values():
            for at in self.family(agent)[1:]:
                if at is not None:
                    found.setdefault(at, []).append(agent)
        self.texts.reads.end(told=False)  # `FAMILIES` tells it
        return found

    def family(self, agent: AgentDefinition) -> Family:
        return self.index.family(self._prefix + agent.source_file, agent.class_name)

    def _any_component(self, code: Code, method: str) -> tuple[str, str] | None:
        # What is private or in a test is not part of an interface, and would drown what is.
        if method.startswith("_") or self.texts.is_test(code.path):
            return None
        on = code.on or _class_of(self.index, code)
        if on is not None:
            return on.name.rpartition(".")[2], method
        return code.path.rpartition("/")[2].removesuffix(".py"), method

    def code_of(self, named: tuple[str, str]) -> Code | bool:
        """The function behind `("Cleaner", "clean")`."""
        agent = self._by_name.get(named[0])
        if agent is None or agent.method(named[1]) is None:
            return False
        if agent.metadata.get("plain") == "functions":
            return Code(self._prefix + agent.source_file, named[1])
        on = Thing(self._prefix + agent.source_file, agent.class_name)
        for kind in self.objects.member(on, named[1]):
            if isinstance(kind, Code):
                return kind
        # Source does not tell which function (a decorator, an attribute), but the method is there: a link is still a
        # link.
        return True


def _class_of(index: Index, code: Code) -> Type | None:
    function = index.function(code)
    return Type(code.path, function.cls) if function is not None and function.cls else None
