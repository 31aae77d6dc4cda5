"""A random project with random participants, all from one seed: what the deterministic simulation plays with.

What a participant says depends on the seed and on the question alone, so that a negotiation that is killed and taken
up again hears the same. Every fault that is injected, and every outcome, is counted.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random
from typing import Any

from graphbus_core.config import SafetyConfig
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Link
from graphbus_core.negotiation.core import Apply, Ask, Json, Reply, View, make_unreadable
from graphbus_core.negotiation.proposal import ProposalConfig
from tests.negotiation.paper import Paper, add, agent, link

FAULTS = (
    "crash",
    "stall",
    "nonsense",
    "unreadable",
    "lie_label",
    "lie_affected",
    "conflict",
    "stubborn_nonsense",
    "gate_refuses",
    "effect_crash",
    "outside_edit",
    "kill",
    "torn_write",
    "stop",
)
WITHIN_S = 10.0
FIELDS = ("source", "lang", "rank")  # few, so that proposals meet
TYPES = ("str", "int", "float")
NONSENSE: tuple[Any, ...] = (
    {"proposals": "none"},
    {"proposals": [{"type": "schema_extension"}]},
    {"proposals": [{"diff": [{"op": "explode", "node": "N0"}]}]},
    {"proposals": [{"diff": [add("Nobody", "m0", "x")]}]},
    {"proposals": [{"diff": [{"op": "replace_body", "node": "N0", "method": "m0", "body": "return ("}]}]},
    {"decision": "perhaps"},
    {"decision": "counter"},
    {"decision": "accept_modified", "committed_diff": {"logic_change": "better"}},
    {"decision": "accept", "confidence": 7},
    {"decision": 3},
    {},
)


class Killed(BaseException):
    """The process died here."""


class World:
    """One seed's project, bounds, participants and faults."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        rng = Random(f"world {seed}")
        self.counts: Counter[str] = Counter()
        # Some are assemblies: one agent whom all the others listen to, and nobody to rule on what they differ about.
        assembly = rng.random() < 0.15
        self.agents, self.links = _project(rng, assembly)
        self.names = [a.name for a in self.agents]
        self.beside: dict[str, list[str]] = {n: [] for n in self.names}
        for found in self.links:
            self.beside[found.producer.node].append(found.consumer.node)
            self.beside[found.consumer.node].append(found.producer.node)
        self.methods = {a.name: [m.name for m in a.methods] for a in self.agents}
        self.safety = SafetyConfig(
            max_negotiation_rounds=rng.randint(2, 5),
            max_proposals_per_agent=rng.choice([1, 2, 3, 3]),
            max_proposals_per_round=rng.choice([1, 1, 2]),
            max_back_and_forth=rng.randint(0, 3),
            convergence_threshold=rng.randint(1, 2),
            require_arbiter_on_conflict=not assembly and rng.random() < 0.7,
            max_file_changes_per_commit=rng.choice([1, 2, 5]),
            max_total_file_changes=rng.choice([2, 5, 10, 10]),
            protected_files=["agents/n1.py"] if rng.random() < 0.15 else [],
        )
        self.config = ProposalConfig(
            self.agents,
            self.links,
            safety=self.safety,
            human_in_loop=rng.random() < 0.2,
            within_s=WITHIN_S,
            approve_within_s=WITHIN_S,
        )
        self.trouble = rng.choice([0.05, 0.2, 0.5])  # how often a participant misbehaves
        self.mood = rng.choice([0.4, 0.7, 0.9])  # how often an evaluator says yes
        self.stop_at = rng.randint(5, 60) if rng.random() < 0.1 else None

    def rng(self, key: str) -> Random:
        """The dice of one question or effect."""
        return Random(f"{self.seed} {key}")

    # -- what participants say

    def faulty(self, ask: Ask) -> str | None:
        """The fault of this question, if any."""
        rng = self.rng(ask.id + " fault")
        if rng.random() >= self.trouble:
            return None
        if "#" in ask.id:  # a retry: half of the stammerers recover
            return "stubborn_nonsense" if rng.random() < 0.5 else None
        return rng.choice(["crash", "stall", "nonsense", "unreadable"])

    def propose(self, ask: Ask) -> dict[str, Any]:
        """None, one or two proposals about oneself and one's neighbours."""
        rng = self.rng(ask.id)
        if rng.random() < 0.25:
            return {"proposals": []}
        return {"proposals": [self._proposal(rng, ask) for _ in range(rng.choice([1, 1, 2]))]}

    def _proposal(self, rng: Random, ask: Ask) -> dict[str, Any]:
        me = ask.to
        nodes = [me] if rng.random() < 0.5 else [me, *rng.sample(self.beside[me], min(1, len(self.beside[me])))]
        ops = [op for node in nodes for op in [self._operation(rng, node, ask)] if op is not None]
        if not ops:
            ops = [{"op": "replace_body", "node": me, "method": self.methods[me][0], "body": "return {}"}]
        label = "schema_extension"
        if rng.random() < 0.3:
            label = rng.choice(["logic_improvement", "breaking_change"])
            self.counts["lie_label"] += 1
        listed = [n for n in nodes if n != me]
        if rng.random() < 0.3:
            listed = rng.sample(self.names, rng.randint(0, 2))
            self.counts["lie_affected"] += 1
        return {"type": label, "summary": f"change {len(ops)}", "diff": ops, "affected_agents": listed}

    def _operation(self, rng: Random, node: str, ask: Ask) -> dict[str, Any] | None:
        cards = {c["name"]: c for c in [ask.about["card"], *ask.about.get("neighbours", ())]}
        methods = [m for m in cards[node]["methods"] if m["output"] is not None] if node in cards else []
        if not methods:
            return None
        method = rng.choice(methods)
        side = rng.choice(["output", "output", "input"])
        fields = list((method["output"] if side == "output" else method["input"] or {}).get("properties", {}))
        at = {"node": node, "method": method["name"], "side": side}
        kind = rng.choice(["add", "add", "add", "rename", "remove", "retype", "optional", "body"])
        free = [f for f in FIELDS if f not in fields]
        if kind == "add" and free:
            return add(node, method["name"], rng.choice(free), rng.choice(TYPES), side, optional=rng.random() < 0.7)
        if kind == "body" or not fields:
            return {
                "op": "replace_body",
                "node": node,
                "method": method["name"],
                "body": f"return {{}}  # {rng.random()}",
            }
        field = rng.choice(fields)
        if kind == "rename" and free:
            return {"op": "rename_field", **at, "field": field, "to": rng.choice(free)}
        if kind == "remove":
            return {"op": "remove_field", **at, "field": field}
        if kind == "optional":
            return {"op": "set_optional", **at, "field": field, "optional": rng.random() < 0.5}
        return {"op": "retype_field", **at, "field": field, "type": rng.choice(TYPES)}

    def evaluate(self, ask: Ask) -> dict[str, Any]:
        """Mostly yes, as the world's mood is; now and then something harder."""
        rng = self.rng(ask.id)
        if rng.random() < self.mood:
            if rng.random() < 0.15:
                return {"decision": "accept_with_modification", "counter_proposal": self._proposal(rng, ask)}
            return {"decision": "accept", "reasoning": "fine"}
        decision = rng.choice(["reject", "reject", "counter", "defer"])
        if decision == "counter":
            return {"decision": "counter", "counter_proposal": self._proposal(rng, ask)}
        return {"decision": decision, "reasoning": "no"}

    def arbitrate(self, ask: Ask) -> dict[str, Any]:
        """Every ruling there is."""
        rng = self.rng(ask.id)
        chosen = rng.choice(ask.about["proposals"])
        ruling: dict[str, Any] = {
            "decision": rng.choice(["accept", "accept", "accept_modified", "reject", "split"]),
            "proposal_id": chosen["proposal_id"],
            "ruling": "so be it",
        }
        if ruling["decision"] in ("accept_modified", "split"):
            ruling["committed_diff"] = chosen["diff"][: rng.randint(1, len(chosen["diff"]))]
            if rng.random() < 0.3:
                disguised = self._operation(rng, chosen["proposer"], ask_with(ask, chosen["proposer"]))
                ruling["committed_diff"] = [disguised] if disguised else ruling["committed_diff"]
        return ruling

    def approve(self, ask: Ask) -> dict[str, Any]:
        """A person who mostly agrees."""
        return {"approve": self.rng(ask.id).random() < 0.7, "reason": "looked at it"}


def ask_with(ask: Ask, name: str) -> Ask:
    """The arbiter's question, as if it were about one of the agents it was shown."""
    cards = [c for c in ask.about["cards"] if c["name"] == name] or ask.about["cards"][:1]
    return Ask(ask.id, ask.to, ask.kind, {"card": cards[0] if cards else {"name": "", "methods": []}})


class Voice:
    """A participant of the world: crashes, stalls, stammers and lies as its dice fall."""

    def __init__(self, world: World, asked: Counter[str]) -> None:
        self.world = world
        self.asked = asked

    async def answer(self, ask: Ask, view: View) -> Reply:
        """What it says, some virtual time later."""
        world, rng = self.world, self.world.rng(ask.id + " manner")
        self.asked[ask.id] += 1
        await asyncio.sleep(rng.random() * WITHIN_S * 0.9)
        fault = world.faulty(ask)
        if fault is not None:
            world.counts[fault] += 1
        if fault == "crash":
            raise ConnectionError("the model's host went away")
        if fault == "stall":
            await asyncio.sleep(10 * WITHIN_S)
        if fault in ("nonsense", "stubborn_nonsense"):
            return Reply(rng.choice(NONSENSE))
        if fault == "unreadable":
            return Reply(make_unreadable("it was prose", "well, I think"))
        said: Json = getattr(world, ask.kind)(ask)
        return Reply(said)


class Ground:
    """The project on paper, with gates that refuse, effects that crash half-way, and a user who edits meanwhile."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.paper = Paper(world.agents, world.links)
        self.crashed: set[str] = set()
        self.immortal = False

    async def apply(self, effect: Apply) -> Json:
        """Run an effect; it may die after the work and before the receipt."""
        world, rng = self.world, self.world.rng(effect.id)
        await asyncio.sleep(rng.random())
        dice = rng.random()
        if dice < 0.08:
            world.counts["gate_refuses"] += 1
            return {"status": "failed", "gate": "verify", "reason": "1 test fails"}
        if dice < 0.14 and effect.kind == "commit":
            world.counts["outside_edit"] += 1
            return {"status": "superseded", "reason": "the file was changed meanwhile"}
        receipt = await self.paper.apply(effect)
        if dice > 0.85 and not self.immortal and effect.id not in self.crashed and effect.kind == "commit":
            self.crashed.add(effect.id)
            world.counts["effect_crash"] += 1
            raise Killed(effect.id)
        return receipt


def _project(rng: Random, assembly: bool) -> tuple[tuple[AgentDefinition, ...], tuple[Link, ...]]:
    """3 to 12 agents in a tree of data links, with none, one or two arbiters; an assembly has none."""
    size = rng.randint(3, 12)
    agents, links = [], []
    for i in range(size):
        name = f"N{i}"
        parent = rng.randrange(i) if i and rng.random() < 0.9 else None
        if assembly and i:
            parent = 0
        takes = {} if parent is None else {f"f{parent}": str}
        methods: dict[str, Any] = {"m0": (takes, {f"f{i}": str})}
        if rng.random() < 0.2:
            methods["m1"] = ({}, {"extra": int})
        judge = {"is_arbiter": True} if rng.random() < 0.08 and not assembly else {}
        agents.append(agent(name, methods, metadata=judge))
        if parent is not None:
            links.append(link(f"N{parent}.m0", f"{name}.m0"))
    judges = [
        agent(f"Judge{i}", metadata={"is_arbiter": True}) for i in range(0 if assembly else rng.choice([0, 1, 1, 2]))
    ]
    return (*agents, *judges), tuple(links)
