"""Play one seed: undisturbed, and again with kills at random places; both must tell the same, and break nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.negotiation.core import Driver, Event, Reply, Session
from graphbus_core.negotiation.proposal import ProposalProtocol
from graphbus_core.negotiation.proposal.events import ArbitrationOpened, ProposalAgreed, ProposalEvaluated, Ruled
from tests.simulation.clock import run
from tests.simulation.invariants import Watch, must
from tests.simulation.world import Ground, Killed, Voice, World

PROTOCOL = ProposalProtocol()


class MortalLog(MemoryLog):
    """Dies in the middle of an append, with any part of it written."""

    def __init__(self, events: list[Event], world: World, life: int, watch: Watch | None = None) -> None:
        super().__init__(events)
        self.world, self.life, self.watch = world, life, watch

    def append(self, events: Any) -> None:
        """Write; or write a part and die."""
        rng = self.world.rng(f"life {self.life} {len(self.events)}")
        if self.life and rng.random() < 0.04:
            keep = rng.randint(0, len(events))
            self.world.counts["kill" if keep in (0, len(events)) else "torn_write"] += 1
            super().append(events[:keep])
            self._tell(events[:keep])
            raise Killed
        super().append(events)
        self._tell(events)

    def _tell(self, events: Any) -> None:
        if self.watch is not None:
            for fact in events:
                self.watch.see(fact)


@dataclass
class Played:
    """What one seed came to."""

    seed: int
    events: int
    lives: int
    counts: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)


def play(seed: int, disturbed: bool = True) -> Played:
    """Play one seed to its end. Raises Broken, or whatever the engine raises that it should not."""
    world = World(seed)
    start = Ground(world).paper.files()
    plain, ground, asked, watch, _ = _run(world, kills=0)
    watch.at_the_end(start, ground.paper.files(), asked)
    counts, lives = Counter(world.counts), 1
    if disturbed:
        world.counts.clear()
        killed, ground, asked, watch, lives = _run(world, kills=30)
        if world.stop_at is None:  # a move that nobody asked for stands where it came in
            must(killed == plain, "killed and taken up again, it tells something else")
        watch.at_the_end(start, ground.paper.files(), asked)
        for name in ("kill", "torn_write", "effect_crash"):
            counts[name] += world.counts[name]
    for fact in plain:
        if isinstance(fact, ArbitrationOpened):
            counts["conflict"] += sum(len(case["proposals"]) > 1 for case in fact.cases)
    counts["stop"] += any(f.kind == "stop_requested" for f in plain)
    outcomes = Counter(watch.outcomes.values())
    outcomes[f"end: {watch.ended.reason}"] += 1
    for fact in plain:
        match fact:
            case ProposalAgreed(consensus=consensus):
                outcomes[f"consensus: {consensus}"] += 1
            case Ruled(ruling=ruling):
                outcomes[f"ruling: {ruling['decision']}"] += 1
            case ProposalEvaluated(evaluation=said):
                outcomes[f"decision: {said['decision']}"] += 1
    return Played(seed, len(plain), lives, counts, outcomes)


def _run(world: World, kills: int) -> tuple[list[Event], Ground, Counter[str], Watch, int]:
    answers, asked, ground, watch = MemoryAnswers(), Counter[str](), Ground(world), Watch(world)
    log = MortalLog([], world, 0, watch)
    if not kills:
        ground.immortal = True
    for life in range(kills + 1):
        log = MortalLog(log.events, world, life + 1 if kills > life else 0, watch)
        voices = {n: Voice(world, asked) for n in [*world.names, world.config.approver]}
        try:
            run(_live(world, voices, answers, ground, log))
        except Killed:
            continue
        break
    for ask_id, times in asked.items():
        must(times == 1 or ask_id not in answers.replies or kills, "asked twice in one life", ask_id)
    return log.events, ground, asked, watch, life + 1


async def _live(world: World, voices: Any, answers: MemoryAnswers, ground: Ground, log: MortalLog) -> None:
    before = dict(answers.replies)
    session = Session(PROTOCOL, world.config, log)
    driver = Driver(voices, _Kept(answers, before), ground.apply)

    def observe(what: Any, reply: Reply | None) -> None:
        due = isinstance(what, Event) and session.seq >= (world.stop_at or 0)
        if due and session.outcome is None and session.state.stop is None:
            driver.submit(session, "budget", {"move": "stop", "why": "enough"})

    if world.stop_at is not None:
        driver.observe = observe
    await driver.run(session)


class _Kept(MemoryAnswers):
    """Answers that refuse to be asked for twice: what was kept before this life must not be put again."""

    def __init__(self, kept: MemoryAnswers, before: dict[str, Reply]) -> None:
        self.replies = kept.replies
        self.before = before

    def put(self, ask_id: str, reply: Reply) -> Reply:
        """Keep a reply that nobody had."""
        must(ask_id not in self.before, "a stored answer was asked for again", ask_id)
        return super().put(ask_id, reply)
