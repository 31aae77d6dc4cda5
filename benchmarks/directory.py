"""The document negotiation over a directory: faults tried and violations, latencies, interoperation, models.

python benchmarks/directory.py                      # short: one repeat with 20 processes, under a minute
python benchmarks/directory.py --crowds 20,100 --repeats 20 --interop 20 --issues 50,1000
python benchmarks/directory.py --only latency
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import directory_faults as faults, directory_interop as interop, directory_scripts as company
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.sessions.document.directory import NegotiationDirectory

Line = tuple[str, str, str, bool]
AGENTS, ROUNDS = 5, 5


def table(title: str, lines: list[Line]) -> bool:
    """Print what, measured, goal, ok."""
    if title:
        print(f"\n{title}")
    for what, measured, goal, ok in lines:
        print(f"  {what:<46} {measured:>26}  {goal:<18} {'ok' if ok else 'NOT MET'}", flush=True)
    return all(line[3] for line in lines)


def fault_table(crowds: list[int], repeats: int) -> bool:
    """Every row of the reference's fault table."""
    good = True
    for n in crowds:
        print(f"\nFaults, {n} processes at once, {repeats} times")
        for name, row in faults.ROWS.items():
            tried = bad = 0
            for _ in range(repeats):
                with tempfile.TemporaryDirectory(prefix="ein Plan 計画 ") as folder:
                    some, violations = row(Path(folder), n)
                tried, bad = tried + some, bad + violations
            good &= table("", [(name, f"{bad} of {tried:,} tried", "0", bad == 0)])
    return good


def interoperation(times: int) -> bool:
    """One side by hand in shell, ours killed and started again."""
    bad, killed, turns = [], 0, []
    for seed in range(times):
        with tempfile.TemporaryDirectory(prefix="a b ") as folder:
            found = interop.negotiate(Path(folder) / "n", 5, seed, ("shell", "ours")[seed % 2])
        bad += [found["violations"]] if found["violations"] else []
        killed += int(str(found["killed"]))
        turns.append(int(str(found["turns"])))
    measured = f"{len(bad)} of {times} ({killed} kills)"
    return table("Interoperation with an agent that has no code of ours", [("violations", measured, "0", not bad)])


def mixed(times: int, theirs: Sequence[Path]) -> bool:
    """Agents that follow the skill's text, each with scripts of its own; ours killed and started again."""
    good = True
    with tempfile.TemporaryDirectory(prefix="scripts ") as place:
        folders = [("the plainest scripts", company.plain(Path(place) / "peer"))]
        folders += [(f"the scripts in {path.name}", path.resolve()) for path in theirs]
        for words, peer in folders:
            bad, killed, undone = 0, 0, 0
            us = company.OURS
            tables = [[peer, us], [us, peer], [peer, peer, us], [peer, us, peer], [us, peer, us]]
            for number in range(times * len(tables)):
                seats = tables[number % len(tables)]
                rigorous = (peer / "end-analysis.sh").exists()
                with tempfile.TemporaryDirectory(prefix="a b ") as folder:
                    held = company.negotiate(Path(folder) / "n", seats, rigorous, 4, number)
                for violation in held.violations:
                    print(f"    {words}, {number}: {violation}")
                bad, killed, undone = bad + bool(held.violations), killed + held.kills, undone + len(held.notices)
            measured = f"{bad} of {times * len(tables)} ({killed} kills)"
            lines: list[Line] = [("negotiations that went wrong", measured, "0", not bad)]
            lines.append(("moves of theirs put back and said", str(undone), "", True))
            good &= table(f"Mixed company, ours and {words}", lines)
    return good


def _negotiated(root: Path, issues: int) -> tuple[NegotiationDirectory, str]:
    """`issues` issues, five agents, just before the end of the fifth round; the holder has everything to say."""
    where = NegotiationDirectory(root)
    where.init(Settings(AGENTS, max_rounds=ROUNDS + 2))
    for number in range(issues):
        where.add_issue(f"point {number}")
    names = [f"agent-{n}" for n in range(AGENTS)]
    for name in names:
        where.register(name)
    text = "I would keep this in files, because a directory can be read by anybody. " * 4
    stems = list(where.read_state().issues)
    for turn in range(AGENTS * ROUNDS - 1):
        who = names[turn % AGENTS]
        for stem in stems:
            path = root / "positions" / f"{stem}.md"
            old = path.read_text() if path.exists() else "# Positions\n"
            path.write_text(f"{old}\n## {who}'s position (round {turn // AGENTS + 1})\n{text}\n")
        told = where.hand_off(who)
        assert told.ok, told.reasons[:2]
    return where, names[-1]


def _ms(work: Callable[[], object], times: int = 7) -> tuple[float, float]:
    """Median milliseconds of wall time, and mean of our own processor time."""
    taken = []
    cpu = time.process_time()
    for _ in range(times):
        begin = time.perf_counter()
        work()
        taken.append((time.perf_counter() - begin) * 1000)
    return statistics.median(taken), (time.process_time() - cpu) / times * 1000


def _operations(root: Path, issues: int) -> list[tuple[str, float, float, int]]:
    """(operation, milliseconds of wall time, of our own work, goal) in one process."""
    where, who = _negotiated(root, issues)
    stem = next(iter(where.read_state().issues))
    time.sleep(0.06)
    works: list[tuple[str, Callable[[], object], int, int]] = [
        ("poll", lambda: where.poll(who), 7, 10),
        ("position", lambda: where.write(who, stem, f"I said so {time.perf_counter()}."), 7, 20),
        ("hand-off, refused", lambda: where.hand_off(who), 7, 20),
        ("status", lambda: where.read_state(working=True), 7, 20),
        ("new-issue", lambda: where.add_issue("more"), 3, 20),
        ("poll of a process that has not looked yet", lambda: NegotiationDirectory(root).poll(who), 3, 0),
    ]
    rows = [(what, *_ms(work, times), goal) for what, work, times, goal in works]
    for stem in where.read_state().issues:
        path = root / "positions" / f"{stem}.md"
        old = path.read_text() if path.exists() else ""
        if f"{who}'s position (round {ROUNDS})" not in old:
            path.write_text(f"{old}\n## {who}'s position (round {ROUNDS})\nMine.\n")
    time.sleep(0.06)
    rows.append((f"hand-off of {issues} entries, accepted", *_ms(lambda: where.hand_off(who), 1), 20))
    assert where.read_state().holder != who
    return rows


def _commands(root: Path) -> list[tuple[str, float, float, int]]:
    rows = []
    for command, *rest in (("poll", "agent-0"), ("status",), ("hand-off", "agent-3")):
        args = [sys.executable, "-m", "graphbus_core.cli.main", "negotiate", command, str(root), *rest]
        before = os.times()
        wall, _ = _ms(lambda a=args: subprocess.run(a, capture_output=True), 5)  # type: ignore[misc]
        after = os.times()
        work = (after.children_user + after.children_system - before.children_user - before.children_system) * 200
        rows.append((f"`graphbus negotiate {command}`", wall, work, 200))
    return rows


def latency(sizes: list[int]) -> bool:
    """Operations in process and as commands. A busy machine shows in the wall time, not in our own work."""
    good, per_issue = True, []
    for issues in sizes:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "n"
            rows = _operations(root, issues)
            per_issue.append(max(work for _, _, work, _ in rows) / issues)
            lines: list[Line] = []
            for what, wall, work, goal in rows + _commands(root):
                bound = goal if issues <= 50 else 0
                ok = not bound or wall <= bound
                lines.append((what, f"{wall:.1f} ms (cpu {work:.1f})", f"<= {bound} ms" if bound else "", ok))
            good &= table(f"{issues} issues, {AGENTS} agents, {ROUNDS} rounds", lines)
    if len(sizes) > 1:
        ratio = per_issue[-1] / per_issue[0]
        what = f"slowest operation, {sizes[-1]} to {sizes[0]} issues"
        good &= table("Growth", [(what, f"{ratio:.2f} x per issue (cpu)", "<= 1.5 x", ratio <= 1.5)])
    return good


def two_sides(times: int) -> bool:
    """Random negotiations with an agent that tries to agree alone, by the rules and by editing files."""
    from benchmarks import directory_sides as sides

    bad = agreed = 0
    for seed in range(times):
        found, made = sides.pure(seed)
        bad, agreed = bad + len(found), agreed + made
    lines: list[Line] = [("one-sided agreements, by the rules", f"{bad} of {agreed:,} in {times:,}", "0", not bad)]
    some = max(1, times // 3)
    for road in ("command", "mcp", "files"):
        bad = agreed = 0
        for seed in range(some):
            with tempfile.TemporaryDirectory() as folder:
                found, made = sides.played(Path(folder) / "d", seed, road)
            bad, agreed = bad + len(found), agreed + made
        lines.append((f"one-sided agreements, by {road}", f"{bad} of {agreed:,} in {some:,}", "0", not bad))
    return table("An agent that tries", lines)


def models() -> bool:
    """`negotiate run` on two plans of 2,000 words."""
    from benchmarks.directory_models import figures

    found = figures()
    dropped, again = found["dropped"], found["asked_again_when_broken_off_4_times"]
    lines: list[Line] = [
        ("final.md", str(found["final"]), "True", bool(found["final"])),
        (
            "dropped points that were named",
            f"{found['named']} of {dropped}",
            "all",
            found["named"] == dropped,
        ),
        ("of 20 planted points, in final.md", str(found["planted_in_final"]), "20", found["planted_in_final"] == 20),
        ("tokens, money", f"{found['tokens']:,}, ${found['cost_usd']:.4f}", "reported", found["cost_usd"] > 0),
        (
            "kept answers asked again, broken off 4 times",
            f"{again} of {found['calls']}",
            "0",
            again == 0,
        ),
    ]
    return table("Two plans of 2,000 words", lines)


def main() -> int:
    """All parts, or `--only` one."""
    # Started as a script, its folder comes first on the path: there `mcp` would be benchmarks/mcp.py, not the SDK.
    sys.path[:] = [place for place in sys.path if Path(place).resolve() != Path(__file__).resolve().parent]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crowds", default="20")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--interop", type=int, default=4)
    parser.add_argument("--issues", default="50")
    parser.add_argument("--only", choices=["faults", "interop", "scripts", "latency", "models", "sides"])
    parser.add_argument("--scripts", type=Path, action="append", default=[], help="a folder with somebody's scripts")
    parser.add_argument("--sides", type=int, default=60, help="random negotiations with an agent that tries")
    parser.add_argument("--mixed", type=int, default=1, help="how often each table of the mixed company")
    args = parser.parse_args()
    parts: dict[str, Callable[[], bool]] = {
        "latency": lambda: latency([int(n) for n in args.issues.split(",")]),
        "interop": lambda: interoperation(args.interop),
        "scripts": lambda: mixed(args.mixed, args.scripts),
        "models": models,
        "sides": lambda: two_sides(args.sides),
        "faults": lambda: fault_table([int(n) for n in args.crowds.split(",")], args.repeats),
    }
    results = [work() for name, work in parts.items() if args.only in (None, name)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
