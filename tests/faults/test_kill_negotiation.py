"""`kill -9` while a negotiation writes to disk: taken up again, it ends with the same facts and the same files.

Kills at every boundary of a fact, and inside a write, stand in the simulation; here a real process dies, at random
instants. `GRAPHBUS_KILLS` says how often (100 for the full claim).
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from graphbus_core.logs.jsonl import JsonlLog, read_answers
from graphbus_core.logs.negotiation_folder import NegotiationFolder
from graphbus_core.negotiation.core import AnswerRefused
from graphbus_core.negotiation.proposal import EVENTS

ROOT = Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("GRAPHBUS_KILLS", "6"))
BUILD = "build-2026-02-20-153042"
CHILD = """
import asyncio, json, os, sys, time
from pathlib import Path
from graphbus_core.negotiation.core import Driver, Reply, Session
from graphbus_core.negotiation.proposal import EVENTS, ProposalProtocol
from graphbus_core.logs.negotiation_folder import NegotiationFolder
from tests.simulation.world import Ground, World
folder, pace = Path(sys.argv[1]), float(sys.argv[2])
world = World(3)
world.trouble, world.stop_at = 0.2, None

class Voice:
    async def answer(self, ask, view):
        with (folder / "asked").open("a") as file:
            file.write(ask.id + "\\n")
        await asyncio.sleep(pace * world.rng(ask.id).random())
        fault = world.faulty(ask)
        if fault in ("crash", "stall"):
            return Reply(None, fault)
        return Reply({}) if fault else Reply(getattr(world, ask.kind)(ask))

ground = Ground(world)
ground.immortal = True
done = folder / "receipts"
done.mkdir(exist_ok=True)

async def apply(effect):
    file = done / effect.id
    if not file.exists():  # what a commit engine knows by the hashes of the files
        for earlier in sorted(done.iterdir(), key=lambda f: f.stat().st_mtime_ns):
            ground.paper.receipts.setdefault(json.loads(earlier.read_text())["pid"], {})
        receipt = await ground.apply(effect)
        part = done.parent / "part"
        part.write_text(json.dumps({"pid": effect.about["proposal_id"], "receipt": dict(receipt)}))
        os.replace(part, file)
    await asyncio.sleep(pace)
    return json.loads(file.read_text())["receipt"]

log, answers = NegotiationFolder(folder).open(sys.argv[3], EVENTS)
with log, answers:
    seats = {n: Voice() for n in [*world.names, world.config.approver]}
    session = Session(ProposalProtocol(), world.config, log)
    for fact in session.feed.list_all():
        if fact.kind == "proposal_committed":
            from graphbus_core.model.agent_def import AgentDefinition
            for name, data in fact.receipt["agents"].items():
                ground.paper.agents[name] = AgentDefinition.from_dict(data)
    asyncio.run(Driver(seats, answers, apply).run(session))
print("ended")
"""


def child(folder, pace):
    """The negotiation in a process of its own."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", CHILD, str(folder), str(pace), BUILD]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def facts(folder):
    """What the log says."""
    return [
        (e.event.kind, json.dumps(e.event.to_dict(), default=list))
        for e in JsonlLog.open_reader(log_of(folder), EVENTS)
    ]


def log_of(folder):
    """Where the log is."""
    return NegotiationFolder(folder).log_path(BUILD)


def test_killed_at_random_instants_it_ends_the_same_and_asks_nothing_twice(tmp_path):
    """The resumed negotiation has the same facts; no stored answer was asked for again."""
    plain, killed = tmp_path / "plain", tmp_path / "killed"
    for folder in (plain, killed):
        folder.mkdir()
    assert child(plain, 0).communicate(timeout=60)[0] == "ended\n"
    expected = facts(plain)
    rng, kills = random.Random(5), 0
    while kills < KILLS:
        process = child(killed, 0.02)
        grown = log_of(killed).stat().st_size if log_of(killed).exists() else 0
        patience = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < patience:
            size = log_of(killed).stat().st_size if log_of(killed).exists() else 0
            if size > grown:
                break
            time.sleep(0.005)
        time.sleep(rng.random() * 0.1)
        if process.poll() is not None:
            for path in killed.rglob("*"):
                if path.is_file():
                    path.unlink()
            process.communicate()
            continue
        stored = set(read_answers(NegotiationFolder(killed).answers_path(BUILD))[0])
        process.kill()
        process.communicate()
        kills += 1
        asked = Counter((killed / "asked").read_text().split()) if (killed / "asked").exists() else Counter()
        process = child(killed, 0) if kills == KILLS else None
        if process is not None:
            assert process.communicate(timeout=60)[0] == "ended\n"
            again = Counter((killed / "asked").read_text().split()) - asked
            assert not stored & set(again)
    assert facts(killed) == expected
    assert AnswerRefused.kind in {kind for kind, _ in expected}
