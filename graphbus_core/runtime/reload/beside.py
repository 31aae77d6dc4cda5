"""A new build loaded beside the running one: read, compared, imported, and its nodes made.

Nothing of the running build is touched, so whatever goes wrong here leaves it as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from graphbus_core.errors import ContractChanged, NodeFailed
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.assembly import Assembly
from graphbus_core.runtime.given.nodes import checks_of, class_of, make_node
from graphbus_core.runtime.given.policy import GuardedBus
from graphbus_core.runtime.given.providers import Wanted, wanted_by
from graphbus_core.runtime.importing import FrozenModules
from graphbus_core.runtime.loader import ArtifactLoader
from graphbus_core.runtime.reload.changed import Difference, difference
from graphbus_core.runtime.reload.fits import BuildContracts, breaking

MAX_TOLD = 5
GOES_ON = "The running build goes on."


class Beside:
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
        self.broken_contracts = tuple(breaking(BuildContracts.of(old), BuildContracts.of(new), side_by_side=False))
        if self.broken_contracts and not force:
            raise ContractChanged(_refusal(self.broken_contracts))
        running.carried(running.transport.fits(new, force))
        self.difference = self._here(difference(old, new))
        self.checks = checks_of(running.config.payload_checks, self.agents, self.topics)
        self.modules = FrozenModules(new)
        self.modules.take_over(running.modules, self.difference.modules)
        self.wants: dict[str, list[Wanted]] = {}
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

    def _here(self, all_of_them: Difference) -> Difference:
        """The difference for the nodes that run in this process. One that was left out as broken is tried again."""
        running = self._running
        chosen = running.chosen

        def mine(names: tuple[str, ...]) -> list[str]:
            return [name for name in names if chosen is None or name in chosen]

        changed = [name for name in mine(all_of_them.changed) if name not in running.stand_ins]
        return Difference(
            tuple(name for name in changed if name in running.nodes),
            tuple(mine(all_of_them.added)) + tuple(name for name in changed if name not in running.nodes),
            tuple(name for name in all_of_them.removed if name in running.nodes),
            all_of_them.modules,
        )

    def _make(self) -> None:
        running = self._running
        agents = {agent.name: agent for agent in self.agents}
        order = [*(name for name in self.graph.get_agent_activation_order() if name in agents), *agents]
        due = {*self.difference.changed, *self.difference.added}
        kinds = {name: self._kind(agents[name]) for name in dict.fromkeys(order) if name in due}
        self.wants = {name: wanted for name, kind in kinds.items() if (wanted := wanted_by(kind))}
        for name, why in running.providers.missing(self.wants).items():
            raise NodeFailed(f"The new {name} could not be made: {why}. {GOES_ON}")
        running.provided(running.providers.make(self.wants))
        for name, kind in kinds.items():
            self.nodes[name] = self._node(name, kind)

    def _kind(self, agent: AgentDefinition) -> type[GraphBusNode]:
        try:
            return class_of(agent, self.modules)
        except Exception as e:
            raise _failed(agent.name, "imported", e) from e

    def _node(self, name: str, kind: type[GraphBusNode]) -> GraphBusNode:
        running = self._running
        policy, bus = running.policy, running.bus
        given = GuardedBus(bus, name, policy) if bus is not None and policy.concerns(name) else bus
        try:
            return make_node(kind, name, given, running.calls, running.providers.arguments(self.wants.get(name, [])))
        except Exception as e:
            raise _failed(name, "made", e) from e


def hand_over(old: Mapping[str, GraphBusNode], new: Mapping[str, GraphBusNode]) -> None:
    """Give each new node what the old one of its name keeps: state and memory. Raises NodeFailed; the old keep theirs.

    Through JSON, as a saved state goes: so the two share no list, and a state that no run could save is found here.
    """
    from graphbus_core.runtime.kept.state import gather

    kept = gather({name: node for name, node in old.items() if name in new})
    for name, remembered in kept["memory"].items():
        if new[name].memory is not None:
            new[name].memory.take_back(remembered)
    for name, state in kept["nodes"].items():
        try:
            new[name].set_state(state)
        except Exception as e:
            raise _failed(name, "given the state of the old one", e) from e


def _failed(name: str, what: str, error: Exception) -> NodeFailed:
    return NodeFailed(f"The new {name} could not be {what}: {type(error).__name__}: {error}. {GOES_ON}")


def _refusal(found: tuple[str, ...]) -> str:
    more = f" And {len(found) - MAX_TOLD} more." if len(found) > MAX_TOLD else ""
    return (
        f"{' '.join(found[:MAX_TOLD])}{more} So the new build does not fit what runs, and was not loaded. {GOES_ON} "
        f"Load it all the same with --force (over HTTP: force), or make the change one that old callers can live with."
    )
