"""The swap: nodes whose code changed are drained, hand over their state, and the new ones take their places.

Why nothing is lost and nothing doubled: an event is with an old handler, or with a new one, and never between.

    doors closed      who comes waits; who is inside, and what they call, goes on (`doors`)
    nobody inside     from here on no code of the old nodes runs
    on_stop, state    old -> new, through JSON
    exchange          all subscriptions at once, under the bus's lock; a topic's plans are made anew
    on_start          of the new nodes; what they publish finds the new ones
    doors opened      who waited goes in, in the order in which they came, to the new node

Whatever fails before the doors open is taken back: the old nodes never lost their state. `on_stop` runs on new nodes
that had started, and `on_start` again on old ones where their `on_stop` had run.
"""

from __future__ import annotations

import ast
import contextvars
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.errors import ContractChanged, NodeFailed, RuntimeFault
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.assembly import Assembly
from graphbus_core.runtime.concurrency import run_within
from graphbus_core.runtime.injection.node_factory import build_checks, import_class, make_node
from graphbus_core.runtime.injection.policy import GuardedBus
from graphbus_core.runtime.injection.providers import ConstructorArgument, list_wanted
from graphbus_core.runtime.loader import ArtifactLoader, FrozenModules
from graphbus_core.runtime.reload.call_gates import CallGate
from graphbus_core.runtime.reload.compatibility import BuildContracts, find_breaking_changes
from graphbus_core.runtime.subscriptions.subscriber import Subscriber
from graphbus_core.runtime.transports.port import Responder

# Which nodes of a build have other code than they had. Sources and contracts are read, and nothing runs.
#
# A node changed where its own module did, or any module of the build that it imports, directly or not. A module that
# imports by a name it makes up (`importlib`, `__import__`) may use any other: it counts as changed with all of them.


ANY_MODULE = "*"  # what a module may import that makes up names


@dataclass(frozen=True)
class BuildDifference:
    """Names of nodes, in the order of the new build; `modules`: those whose code, or what they import, is the same."""

    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    modules: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.changed or self.added or self.removed)


def compare_builds(old: ArtifactFolder, new: ArtifactFolder) -> BuildDifference:
    """Compare two builds. Raises ArtifactError."""
    same = _find_same_modules(old, new)
    before, after = ({definition.name: definition for definition in folder.agents} for folder in (old, new))
    old_wiring, new_wiring = _collect_wiring(old), _collect_wiring(new)
    changed = [
        name
        for name, agent in after.items()
        if name in before
        and (
            agent.module not in same
            or (agent.module, agent.class_name) != (before[name].module, before[name].class_name)
            or new_wiring[name] != old_wiring[name]
        )
    ]
    return BuildDifference(
        tuple(changed),
        tuple(name for name in after if name not in before),
        tuple(name for name in before if name not in after),
        same,
    )


def _collect_wiring(folder: ArtifactFolder) -> dict[str, Any]:
    """Node -> what it hears and what it promises: a setting may change both, and leave its source alone."""
    heard_topics: dict[str, list[Any]] = {agent.name: [] for agent in folder.agents}
    for subscription in folder.subscriptions:
        heard_topics.setdefault(subscription.node_name, []).append(
            (subscription.topic.name, subscription.handler_name, repr(subscription.mapping))
        )
    return {name: (sorted(topics), folder.schemas.get(name)) for name, topics in heard_topics.items()}


def _find_same_modules(old: ArtifactFolder, new: ArtifactFolder) -> frozenset[str]:
    """The modules that are what they were, with everything they import."""
    before, after = _collect_digests(old), _collect_digests(new)
    other = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    imports = {name: _find_imported(new, name, after) for name in after}
    while True:
        more = {
            name
            for name, used in imports.items()
            if name not in other and (used & other or (other and ANY_MODULE in used))
        }
        if not more:
            return frozenset(after) - other
        other |= more


def _collect_digests(folder: ArtifactFolder) -> dict[str, str]:
    files = folder.manifest.files
    return {name: files[module.file] if module.file else "" for name, module in folder.modules.items()}


def _find_imported(folder: ArtifactFolder, name: str, known_modules: Mapping[str, Any]) -> frozenset[str]:
    """Which modules of the build are run before this one: what it imports, and every package on the way there."""
    module = folder.modules[name]
    above = {part for part in _iter_parents(name) if part != name}  # importing it runs the packages that it is in
    if module.file is None:
        return frozenset(above)
    package = name if module.is_package else name.rpartition(".")[0]
    import_names = _find_import_names(folder.read_file(module.file), package)
    imported = {part for import_name in import_names for part in _iter_parents(import_name) if part in known_modules}
    return frozenset((imported | above | ({ANY_MODULE} & import_names)) - {name})


def _iter_parents(name: str) -> Iterable[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]


@lru_cache(maxsize=4096)  # a reload reads every source again, and nearly all are what they were
def _find_import_names(source: bytes, package: str) -> frozenset[str]:
    """Every dotted name that a module may import, at any depth."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return frozenset((ANY_MODULE,))
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                names.update(alias.name for alias in node.names)
            case ast.ImportFrom():
                base = _resolve_absolute(node, package)
                names.add(base)
                names.update(f"{base}.{alias.name}" for alias in node.names)
            case ast.Name(id="__import__"):
                names.add(ANY_MODULE)
    if any(name.partition(".")[0] in ("importlib", "pkgutil", "runpy") for name in names):
        names.add(ANY_MODULE)
    return frozenset(names)


def _resolve_absolute(statement: ast.ImportFrom, package: str) -> str:
    if not statement.level:
        return statement.module or ""
    base = package.split(".")[: max(len(package.split(".")) - statement.level + 1, 0)]
    return ".".join([*base, *([statement.module] if statement.module else [])])


# A new build loaded beside the running one: read, compared, imported, and its nodes made.
#
# Nothing of the running build is touched, so whatever goes wrong here leaves it as it is.


MAX_SHOWN_BREAKS = 5
RUNNING_GOES_ON = "The running build goes on."


class StandbyBuild:
    """The newest build in the folder of `running`, as far as it differs.

    Raises ArtifactError, NodeFailed for a node that cannot be imported or made, and ContractChanged where a contract
    breaks and this is not to be done all the same (`force`).
    """

    def __init__(self, running: Assembly, *, force: bool) -> None:
        self._running = running
        self.loader = ArtifactLoader(running.artifacts_dir)
        self.graph, self.agents, self.topics, self.subscriptions = self.loader.load_all()
        self.loader.folder.read_rest()  # also what no run reads: nothing of an altered build runs
        old, new = running.loader.folder, self.loader.folder
        self.broken_contracts = tuple(
            find_breaking_changes(BuildContracts.from_folder(old), BuildContracts.from_folder(new), side_by_side=False)
        )
        if self.broken_contracts and not force:
            raise ContractChanged(_render_refusal(self.broken_contracts))
        running.run_transport(running.transport.check_build(new, force))
        self.difference = self._select_local(compare_builds(old, new))
        self.checks = build_checks(running.config.payload_checks, self.agents, self.topics)
        self.modules = FrozenModules(new)
        self.modules.take_over(running.modules, self.difference.modules)
        self.wants: dict[str, list[ConstructorArgument]] = {}
        self.nodes: dict[str, GraphBusNode] = {}

    def make(self) -> None:
        """Import what changed, ask for what it wants, and make its nodes; where that fails, forget all of it."""
        try:
            self._make()
        except BaseException:
            self.forget()
            raise

    def forget(self) -> None:
        """It is not taken: the running build's packages have their own modules back."""
        if self._running.modules is not None:
            self.modules.give_back(self._running.modules)
        self.modules.unload()

    def _select_local(self, full_difference: BuildDifference) -> BuildDifference:
        """The difference for the nodes that run in this process. One that was left out as broken is tried again."""
        running = self._running
        chosen = running.chosen

        def filter_mine(names: tuple[str, ...]) -> list[str]:
            return [name for name in names if chosen is None or name in chosen]

        changed = [name for name in filter_mine(full_difference.changed) if name not in running.stand_ins]
        return BuildDifference(
            tuple(name for name in changed if name in running.nodes),
            tuple(filter_mine(full_difference.added)) + tuple(name for name in changed if name not in running.nodes),
            tuple(name for name in full_difference.removed if name in running.nodes),
            full_difference.modules,
        )

    def _make(self) -> None:
        running = self._running
        agents = {agent.name: agent for agent in self.agents}
        order = [*(name for name in self.graph.get_agent_activation_order() if name in agents), *agents]
        due = {*self.difference.changed, *self.difference.added}
        kinds = {name: self._import_class(agents[name]) for name in dict.fromkeys(order) if name in due}
        self.wants = {name: arguments for name, kind in kinds.items() if (arguments := list_wanted(kind))}
        for name, why in running.providers.explain_missing(self.wants).items():
            raise NodeFailed(f"The new {name} could not be made: {why}. {RUNNING_GOES_ON}")
        running.run_providers(running.providers.make(self.wants))
        for name, kind in kinds.items():
            self.nodes[name] = self._make_node(name, kind)

    def _import_class(self, agent: AgentDefinition) -> type[GraphBusNode]:
        try:
            return import_class(agent, self.modules)
        except Exception as e:
            raise _build_failure(agent.name, "imported", e) from e

    def _make_node(self, name: str, kind: type[GraphBusNode]) -> GraphBusNode:
        running = self._running
        policy, bus = running.policy, running.bus
        node_bus = GuardedBus(bus, name, policy) if bus is not None and policy.concerns(name) else bus
        try:
            return make_node(
                kind, name, node_bus, running.calls, running.providers.build_arguments(self.wants.get(name, []))
            )
        except Exception as e:
            raise _build_failure(name, "made", e) from e


def hand_over(old: Mapping[str, GraphBusNode], new: Mapping[str, GraphBusNode]) -> None:
    """Give each new node what the old one of its name keeps: state and memory. Raises NodeFailed; the old keep theirs.

    Through JSON, as a saved state goes: so the two share no list, and a state that no run could save is found here.
    """
    from graphbus_core.runtime.persistence.run_store import gather_state

    gathered = gather_state({name: node for name, node in old.items() if name in new})
    for name, remembered in gathered["memory"].items():
        if new[name].memory is not None:
            new[name].memory.take_back(remembered)
    for name, state in gathered["nodes"].items():
        try:
            new[name].set_state(state)
        except Exception as e:
            raise _build_failure(name, "given the state of the old one", e) from e


def _build_failure(name: str, what: str, error: Exception) -> NodeFailed:
    return NodeFailed(f"The new {name} could not be {what}: {type(error).__name__}: {error}. {RUNNING_GOES_ON}")


def _render_refusal(breaks: tuple[str, ...]) -> str:
    more = f" And {len(breaks) - MAX_SHOWN_BREAKS} more." if len(breaks) > MAX_SHOWN_BREAKS else ""
    return (
        f"{' '.join(breaks[:MAX_SHOWN_BREAKS])}{more} So the new build does not fit what runs, and was not "
        f"loaded. {RUNNING_GOES_ON} "
        f"Load it all the same with --force (over HTTP: force), or make the change one that old callers can live with."
    )


log = logging.getLogger("graphbus.runtime")
LOOK_S = 0.001  # between two looks at who is still inside


@dataclass(frozen=True)
class ReloadResult:
    """What a reload did. `broken_contracts` were forced; `paused_s` is how long the nodes that changed took nothing."""

    build_id: str
    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    broken_contracts: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    paused_s: float = 0.0

    @property
    def has_changes(self) -> bool:
        """Whether any node is another one now."""
        return bool(self.changed or self.added or self.removed)


@dataclass
class _PreviousState:
    """What a swap changes, as it was."""

    nodes: dict[str, GraphBusNode]
    subscriptions: list[Subscriber]
    generations: dict[str, int]
    stopped: list[str] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)  # new nodes whose on_start ran
    exchanged: list[Subscriber] | None = None


def reload(running: Assembly, *, force: bool, timeout_s: float) -> ReloadResult:
    """Take the newest build. Raises what `Beside` raises, and RuntimeFault where nodes do not come to rest in time."""
    new = StandbyBuild(running, force=force)
    new.make()
    try:
        swap = Swap(running, new, timeout_s)
        paused_s = swap.run()
    except BaseException:
        new.forget()
        raise
    difference = new.difference
    built = str(new.loader.load_build_summary().get("build_id", ""))
    return ReloadResult(
        built,
        difference.changed,
        difference.added,
        difference.removed,
        new.broken_contracts,
        tuple(swap.problems),
        paused_s,
    )


class Swap:
    """One swap. `problems` are what went wrong and stopped nothing: an `on_stop` that raised."""

    def __init__(self, running: Assembly, new: StandbyBuild, timeout_s: float) -> None:
        self._running, self._new, self._timeout_s = running, new, timeout_s
        difference = new.difference
        self._names = (*difference.changed, *difference.added, *difference.removed)
        assert running.doors is not None
        self._passing = running.doors.pass_all
        self._doors: list[CallGate] = [running.doors.get(name) for name in self._names]
        self.problems: list[str] = []

    def run(self) -> float:
        """Do it, and return how many seconds the doors were closed."""
        begun = time.monotonic()
        end = begun + self._timeout_s
        for door in self._doors:
            door.close()
        try:
            self._wait_until_idle(end)
            with self._passing():
                self._replace_nodes(end)
            self._finish()
        finally:
            for door in self._doors:
                door.open()
        return time.monotonic() - begun

    def _wait_until_idle(self, end: float) -> None:
        """Wait until nobody is inside."""
        while busy := [door.node for door in self._doors if door.inside]:
            if time.monotonic() > end:
                raise RuntimeFault(
                    f"{', '.join(sorted(busy))} did not come to rest within {self._timeout_s:g} s: a handler or a call "
                    f"goes on. So the build was not reloaded. {RUNNING_GOES_ON}"
                )
            time.sleep(LOOK_S)

    def _replace_nodes(self, end: float) -> None:
        running, new = self._running, self._new
        old = {name: running.nodes[name] for name in self._names if name in running.nodes}
        router = running.router
        before = _PreviousState(
            old,
            router.find_by_nodes(old) if router is not None else [],
            {door.node: door.generation for door in self._doors},
        )
        try:
            for name in [node_name for node_name in reversed(running.started) if node_name in old]:
                before.stopped.append(name)
                self._stop_node(name, end)
            hand_over(old, new.nodes)
            self._place_nodes(before)
            for name in new.nodes:
                self._run_hook(name, "on_start", end)
                before.begun.append(name)
        except BaseException as error:
            self._take_back(before, end)
            if isinstance(error, RuntimeFault):
                raise
            raise NodeFailed(
                f"The new build could not be taken: {type(error).__name__}: {error}. {RUNNING_GOES_ON}"
            ) from error

    def _place_nodes(self, before: _PreviousState) -> None:
        """The new nodes are in their places, and hear what they are to hear."""
        running, new = self._running, self._new
        for name in before.nodes:
            if name not in new.nodes:
                del running.nodes[name]
        running.nodes.update(new.nodes)
        running.connect(new.checks, frozenset(agent.name for agent in new.agents))
        if running.router is None:
            return
        for door in self._doors:
            door.prepare()
        numbers = {subscription.durable: subscription.number for subscription in before.subscriptions}
        added = []
        for subscription in new.subscriptions:
            node = new.nodes.get(subscription["agent"])
            if node is not None:
                running.policy.require(node.name, "hear", subscription["topic"])
                number = numbers.get(f"{node.name}.{subscription['handler']} {subscription['topic']}")
                mapping = running.build_mapping(subscription, new.modules)
                topic, handler = subscription["topic"], subscription["handler"]
                added.append(running.router.build_subscriber(topic, node, handler, number, mapping))
        self._switch_gates(added)
        running.router.replace(before.subscriptions, added)
        before.exchanged = added

    def _switch_gates(self, added: list[Subscriber]) -> None:
        for door in self._doors:
            mine = {
                subscriber.durable: subscriber
                for subscriber in added
                if getattr(subscriber.owner, "name", None) == door.node
            }
            door.switch_to(mine)

    def _take_back(self, before: _PreviousState, end: float) -> None:
        """Everything as it was."""
        running = self._running
        for name in reversed(before.begun):  # what it opened, the old node is to open again
            with suppress(Exception):
                self._run_hook(name, "on_stop", end)
        for name in self._new.nodes:
            if name not in before.nodes:
                running.nodes.pop(name, None)
        running.nodes.update(before.nodes)
        running.connect(running.checks, running.get_build_names())
        for door in self._doors:
            mine = [
                subscriber
                for subscriber in before.subscriptions
                if getattr(subscriber.owner, "name", None) == door.node
            ]
            door.switch_back(before.generations[door.node], {subscriber.durable: subscriber for subscriber in mine})
        if before.exchanged is not None and running.router is not None:
            running.router.replace(before.exchanged, before.subscriptions)
        for name in reversed(before.stopped):
            with suppress(Exception):  # it ran before; what it says now changes nothing of why this is taken back
                self._run_hook(name, "on_start", end)

    def _finish(self) -> None:
        """The new build is the running one. Nothing in here may fail."""
        running, new = self._running, self._new
        running.install_build(new.loader, new.checks, new.modules, new.wants)
        if running.transport.local:
            return
        assert running.calls is not None
        for name in (*new.difference.added, *new.difference.changed):
            running.transport.reply(Responder(name, running.calls.answer, new.nodes[name]))
        running.run_transport(running.transport.switch_build(new.loader.folder, frozenset(running.nodes)))

    # Hooks

    def _stop_node(self, name: str, end: float) -> None:
        try:
            self._run_hook(name, "on_stop", end)
        except Exception as e:  # as at a stop: it is told, and goes on
            self.problems.append(f"{name}.on_stop failed: {type(e).__name__}: {e}")
            log.error("%s", self.problems[-1])

    def _run_hook(self, name: str, hook: str, end: float) -> None:
        """In this context, which passes every door, also where it runs in a thread of its own."""
        context = contextvars.copy_context()
        work: Callable[[], Any] = partial(context.run, self._running.run_hook, name, hook)
        if not run_within(max(end - time.monotonic(), 0.1), work):
            raise RuntimeFault(f"{name}.{hook} did not end in time. {RUNNING_GOES_ON}")
