"""What the negotiation engine costs: facts at 1,000 agents, folding them again, memory, durable appends.

    python benchmarks/negotiation.py                    short
    python benchmarks/negotiation.py --events 100000    the full length

In memory, one process, no participant's time: the session is driven directly, answers are ready, commits happen on
paper and their time is not counted. Durable appends are compared with bare `fdatasync` of the same bytes, both in turns
in the same run.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from graphbus_core.config import SafetyConfig
from graphbus_core.logs.jsonl import JsonlAnswers, JsonlLog
from graphbus_core.logs.memory import MemoryLog
from graphbus_core.negotiation.core import Answered, Applied, Apply, Reply, Session
from graphbus_core.negotiation.proposal import EVENTS, ProposalConfig, ProposalProtocol
from graphbus_core.negotiation.proposal.events import ProposalEvaluated
from tests.negotiation.paper import Paper, add, agent, link

NOTHING = Answered({"proposals": []})
YES = Answered({"decision": "accept", "reasoning": "It does not concern what I send or take."})


def chain(size: int) -> tuple[tuple, tuple]:
    """A chain of agents, each taking what the one before it sends."""
    agents = tuple(agent(f"N{i:04}", {"m": ({} if not i else {f"f{i - 1}": str}, {f"f{i}": str})}) for i in range(size))
    links = tuple(link(f"N{i - 1:04}.m", f"N{i:04}.m") for i in range(1, size))
    return agents, links


def run(size: int, events: int, share: float, traced: bool = False) -> dict[str, float]:
    """Negotiate until there are so many facts; `share` of the agents propose in a round."""
    agents, links = chain(size)
    bounds = SafetyConfig(
        max_negotiation_rounds=10**6, max_proposals_per_agent=10**6, convergence_threshold=10**6,
        max_total_file_changes=10**6,
    )  # fmt: skip
    config = ProposalConfig(agents, links, safety=bounds)
    paper, log = Paper(agents, links), MemoryLog()
    step = max(1, round(1 / share)) if share else 0
    turn = 0
    gc.collect()
    if traced:
        tracemalloc.start()
    begun = time.process_time()  # of the processor: other work on the machine does not count
    session = Session(ProposalProtocol(), config, log)
    session.advance()
    opened = time.process_time() - begun
    outside = 0.0
    begun = time.process_time()
    while len(log.events) < events:
        head = session.head
        if isinstance(head, Apply):
            away = time.process_time()
            receipt = paper.commit(head.about)
            paper.receipts.clear()
            outside += time.process_time() - away
            session.settle(head.id, Applied(receipt))
        elif head.kind == "propose":
            turn += 1
            answer = NOTHING
            if step and turn % step == 0:
                change = add(head.to, "m", "more")
                if head.about["round"] % 2 == 0:
                    change = {"op": "remove_field", "node": head.to, "method": "m", "side": "output", "field": "more"}
                answer = Answered({"proposals": [{"type": "schema_extension", "summary": "so", "diff": [change]}]})
            session.settle(head.id, answer)
        else:
            session.settle(head.id, YES)
    took = time.process_time() - begun - outside
    made = len(log.events)
    memory = tracemalloc.get_traced_memory()[0] if tracemalloc.is_tracing() else 0
    tracemalloc.stop()
    begun = time.process_time()
    again = Session(ProposalProtocol(), config, log)
    refold = time.process_time() - begun
    assert again.seq == session.seq
    assert again.state.queue.records.keys() == session.state.queue.records.keys()
    return {"events": made, "us": took / made * 1e6, "refold": refold, "open": opened, "memory": memory}


def durable(seconds: float) -> tuple[float, float, int]:
    """Appends a second: ours, and bare `fdatasync` of as many bytes; in turns, in the same folder."""
    fact = ProposalEvaluated(("A", "B"), 1, "p-a3f2", "A", {"decision": "accept", "reasoning": "It is safe. " * 8})
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        log = JsonlLog(Path(folder) / "a.jsonl", EVENTS, "build-1")
        log.append([fact])
        line = (Path(folder) / "a.jsonl").read_bytes().splitlines(True)[1]
        raw = os.open(Path(folder) / "raw", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        counts, times = [0, 0], [0.0, 0.0]
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            for which in (0, 1):
                begun = time.perf_counter()
                for _ in range(50):
                    if which == 0:
                        log.append([fact])
                    else:
                        os.write(raw, line)
                        os.fdatasync(raw)
                times[which] += time.perf_counter() - begun
                counts[which] += 50
        answers = JsonlAnswers(Path(folder) / "a.answers.jsonl")
        begun = time.perf_counter()
        for i in range(500):
            answers.put(f"1.evaluate.p-a3f2.N{i}", Reply({"decision": "accept", "reasoning": "It is safe. " * 8}))
        kept = 500 / (time.perf_counter() - begun)
        log.close()
        answers.close()
        os.close(raw)
    return counts[0] / times[0], counts[1] / times[1], round(kept)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", type=int, default=1000)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=6.0, help="for the durable appends")
    args = parser.parse_args()
    table = Table()
    for share, words in ((0.05, "1 agent in 20 proposes"), (1.0, "every agent proposes, its contracts checked")):
        found = run(args.agents, args.events if share < 1 else args.events // 5, share)
        what = f"us a fact, {args.agents} agents, {found['events']:.0f} facts; {words} in a round"
        table.row(what, f"{found['us']:.1f}", "<= 50" if share < 1 else "", found["us"] <= 50 if share < 1 else None)
        what = f"  folding them again, s (opening: {found['open'] * 1e3:.0f} ms)"
        table.row(what, f"{found['refold']:.2f}", "<= 1", found["refold"] <= 1)
    base, small, large = (run(args.agents, n, 0.05, True)["memory"] for n in (1_000, 10_000, 20_000))
    per = [(small - base) / 9_000, (large - small) / 10_000]
    table.row("bytes a fact, first 10,000, next", f"{per[0]:.0f}, {per[1]:.0f}", "linear", per[1] <= 1.3 * per[0])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    table.row("peak memory of this process, MB", f"{peak:.0f}")
    ours, raw, kept = durable(args.seconds)
    table.row("durable appends a second", f"{ours:.0f}")
    table.row("bare write + fdatasync of the same bytes", f"{raw:.0f}")
    table.row("  share", f"{ours / raw:.2f}", ">= 0.80", ours / raw >= 0.8)
    table.row("answers kept a second, durably", f"{kept}")
    table.show()
    return 0


class Table:
    """What, measured, goal, ok."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str, bool | None]] = []

    def row(self, what: str, measured: str, goal: str = "", ok: bool | None = None) -> None:
        """Add a line."""
        self.rows.append((what, measured, goal, ok))

    def show(self) -> None:
        """Print it."""
        width = max(len(row[0]) for row in self.rows)
        print(f"{'what':<{width}}{'measured':>12}{'goal':>10}  ok")
        for what, measured, goal, ok in self.rows:
            print(f"{what:<{width}}{measured:>12}{goal:>10}  {'' if ok is None else 'yes' if ok else 'NO'}")


if __name__ == "__main__":
    sys.exit(main())
