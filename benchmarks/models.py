"""Models at the table: calls, characters, wall time, cache-friendly prefixes, budgets, faults, kills, keys.

    python benchmarks/models.py                # all of it, in at most ten minutes: each section tells its time
    python benchmarks/models.py calls wall     # some of it, by the names below
    GRAPHBUS_FAULT_RUNS=1000 GRAPHBUS_KILLS=100 python benchmarks/models.py faults kill

Everything goes through the real client libraries to a scripted server on loopback: no key, no network.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from _models_apart import served_apart
from _models_faults import faults, injection
from _models_gates import together
from _models_road import keys, kill
from _models_slips import slips
from _scripted_table import (
    ACCEPT,
    MODEL,
    REJECT,
    ROWS,
    RULE,
    Run,
    adopting_orphans,
    expected_calls,
    extend,
    hold,
    row,
    run,
)

from graphbus_core.participants.llm import BudgetSpent, Usage
from graphbus_core.participants.llm.usage import compute_price_usd
from graphbus_core.testing import Call, Script, Turn, chain, fenced, write_files
from graphbus_core.testing.model_server import measure_common_prefix

DELAY_S = 0.5  # of an answer
FIRST_EDITION_CHARACTERS = 364_630  # of the same 64 prompts, measured on aff06b5, the last commit of the first edition


def calls() -> None:
    """Calls and characters of one round in which everybody proposes."""

    def proposing(call: Call) -> Turn:
        return Turn("Let me think about it.") if call.agent.endswith("7") and call.number == 1 else extend(call)

    def judging(call: Call) -> Turn:
        return Turn(fenced(REJECT if call.agent.endswith("5") else ACCEPT))

    lines = {("*", "propose"): proposing, ("*", "evaluate"): judging, ("*", "arbitrate"): RULE}
    per_link: dict[int, float] = {}
    for agents in (20, 50, 100):
        held, server = run(agents, Script(lines), arbiter=True, real=agents == 20)
        wanted = expected_calls(held)
        made = len(server.received)
        if agents == 20:
            told = " + ".join(f"{n} {k}" for k, n in wanted.items())
            row(
                "calls, 20 agents, one round",
                str(made),
                f"= {told} = {sum(wanted.values())}",
                made == sum(wanted.values()),
            )
            size = sum(len(r.prompt) for r in server.received)
            row("characters, 20 agents, one round", f"{size:,}", "<= 560,000 (peer 5,590,000)", size <= 560_000)
            ratio = size / FIRST_EDITION_CHARACTERS
            row("prompts against the first edition's", f"{ratio:.2f} x", "<= 1.3 x", ratio <= 1.3)
        elif made != sum(wanted.values()):
            row(f"calls, {agents} agents", str(made), f"= {sum(wanted.values())}", False)
        per_link[agents] = sum(len(r.prompt) for r in server.received) / (agents - 1)
    grows = per_link[100] / per_link[20]
    row("characters per link, 100 agents against 20", f"{grows:.2f}", "<= 1.1 (linear)", grows <= 1.1)


def wall() -> None:
    """Half a second an answer, 20 agents, three rounds; three runs, all shown, the median is judged.

    Wall time is also that of everybody else on this machine, so the processor time stands beside it: on a machine of
    our own the negotiation takes the chain of waits and, at most, that.
    """
    runs: list[Run] = []
    with adopting_orphans(), served_apart(DELAY_S) as server:
        for agents in (2, *[20] * 3):  # the imports of the client libraries are paid once, with the two
            with tempfile.TemporaryDirectory() as folder:
                root = Path(folder).resolve()
                write_files(root, chain(agents))
                runs.append(asyncio.run(hold(root, server, rounds=3, safety={"max_proposals_per_agent": 3})))
    runs = runs[1:]
    chain_s = DELAY_S * 2 * sum(e.kind == "round_started" for e in runs[0].events)
    walls = sorted(one.wall_s - one.gates_s for one in runs)
    used = sorted(one.cpu_s for one in runs)[1]
    calls = runs[0].table.spending.total.requests
    row(
        f"wall time, 0.5 s an answer, 20 agents, 3 rounds, {calls} calls",
        f"{', '.join(f'{w:.2f}' for w in walls)} s at load {os.getloadavg()[0]:.0f}; "
        f"{used:.2f} s of processor: {(chain_s + used) / chain_s:.2f} x with a machine of our own",
        f"<= 1.3 x {chain_s:.1f} s = {1.3 * chain_s:.2f} s",
        walls[1] <= 1.3 * chain_s or chain_s + used <= 1.3 * chain_s,
    )
    commits = sum(e.kind == "proposal_committed" for e in runs[0].events)
    gates = sorted(one.gates_cpu_s for one in runs)[1]
    row(
        f"gates of {commits} commits, 20 agents, 3 rounds",
        f"{gates:.1f} s of processor in total = {gates / commits:.3f} s a commit",
        "<= 0.25 s a commit",
        gates <= 0.25 * commits,
    )


def prefix() -> None:
    """How much of an agent's later calls is an unchanged prefix."""
    lines = {("*", "propose"): extend, ("*", "evaluate"): ACCEPT}
    held, server = run(20, Script(lines), rounds=3)
    landed = sum(e.kind == "proposal_committed" for e in held.events)
    same = total = 0
    seen: dict[str, list[str]] = {}
    for r in server.received:
        before = seen.setdefault(r.agent, [])
        if before:
            same += max(measure_common_prefix(r.prompt, b) for b in before)
            total += len(r.prompt)
        before.append(r.prompt)
    share = same / total
    row(
        "unchanged prefix of second and later calls, 3 rounds",
        f"{share:.1%} over {landed} commits",
        ">= 70 %",
        share >= 0.7,
    )


def budget() -> None:
    """$0.05, and not more than what was under way when it was reached."""
    lines = {
        ("*", "propose"): lambda call: Turn(extend(call).text, delay_s=0.02, output_tokens=400),
        ("*", "evaluate"): Turn(fenced(ACCEPT), delay_s=0.02, output_tokens=200),
    }
    held, server = run(20, Script(lines), rounds=3, max_cost_usd=0.05, max_concurrency=4)
    total = held.table.spending.total.cost_usd
    longest = max(len(r.prompt) for r in server.received) // 4
    dearest = compute_price_usd(MODEL, Usage(input_tokens=longest, output_tokens=400)) or 0.0  # of one answer
    ok = isinstance(held.error, BudgetSpent) and 0.05 <= total <= 0.05 + 4 * dearest
    row(
        f"budget of $0.05 with {MODEL}",
        f"${total:.4f} after {len(server.received)} calls, 4 at a time",
        f"<= $0.05 + the 4 under way (${4 * dearest:.4f})",
        ok,
    )


SECTIONS = {f.__name__: f for f in (calls, wall, together, prefix, budget, slips, faults, injection, kill, keys)}


def main() -> int:
    """Run the sections named on the command line, or all."""
    names = sys.argv[1:] or list(SECTIONS)
    for name in names:
        began, used = time.perf_counter(), sum(os.times()[:4])
        SECTIONS[name]()
        print(f"      {name}: {time.perf_counter() - began:.0f} s, {sum(os.times()[:4]) - used:.0f} s of processor")
    width = max(len(r[0]) for r in ROWS)
    print(f"\n{'what':<{width}}  measured | goal | ok")
    for what, measured, goal, ok in ROWS:
        print(f"{what:<{width}}  {measured} | {goal} | {ok}")
    return 0 if all(r[3] != "NO" for r in ROWS) else 1


if __name__ == "__main__":
    sys.exit(main())
