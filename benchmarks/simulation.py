"""The deterministic simulation: random projects, participants that crash, stall, stammer and lie, and kills anywhere.

    python benchmarks/simulation.py --seeds 10000     the full run (two processes, some minutes)
    python benchmarks/simulation.py --seed 4711       play one seed and print its facts

Every seed is played twice: undisturbed, and with kills at random places, inside a write included; both must tell the
same facts. Safety and liveness are checked at every fact by `tests/simulation/invariants.py`, which shares no code with
the rules. A seed that fails prints itself.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from graphbus_core.negotiation.proposal.vocabulary import Decision, ProposalOutcome, Ruling
from tests.simulation.play import Played, play
from tests.simulation.world import FAULTS

OUTCOMES = (
    *(o.value for o in ProposalOutcome),
    *(f"decision: {d.value}" for d in Decision),
    *(f"ruling: {r.value}" for r in Ruling),
    *(f"consensus: {c}" for c in ("unanimous", "gates", "arbiter", "majority")),
    *(f"end: {r}" for r in ("converged", "rounds", "nothing_left", "file_changes", "stopped")),
)


def chunk(seeds: range) -> tuple[Counter[str], Counter[str], Counter[str], list[tuple[int, str]]]:
    """Play these seeds: faults, outcomes, totals, and what failed."""
    faults, outcomes, totals, failed = Counter[str](), Counter[str](), Counter[str](), []
    for seed in seeds:
        try:
            played: Played = play(seed)
        except Exception:
            failed.append((seed, traceback.format_exc(limit=-6)))
            continue
        faults.update(played.counts)
        outcomes.update(played.outcomes)
        totals.update({"events": played.events, "lives": played.lives, "negotiations": 2})
    return faults, outcomes, totals, failed


def main() -> int:
    """Play, and print the tables. 1 where a seed failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=2000, help="how many seeds (each is two negotiations)")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seed", type=int, help="play this one alone and print its facts")
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1))
    args = parser.parse_args()
    if args.seed is not None:
        return _show(args.seed)
    begun = time.perf_counter()
    size = max(1, min(100, args.seeds // args.processes or 1))
    seeds = range(args.first, args.first + args.seeds)
    chunks = [seeds[i : i + size] for i in range(0, len(seeds), size)]
    faults, outcomes, totals, failed = Counter[str](), Counter[str](), Counter[str](), []
    with ProcessPoolExecutor(args.processes) as pool:
        for part in pool.map(chunk, chunks):
            for mine, theirs in zip((faults, outcomes, totals), part[:3], strict=True):
                mine.update(theirs)
            failed += part[3]
    took = time.perf_counter() - begun
    for seed, said in failed[:5]:
        print(f"seed {seed} failed; `python benchmarks/simulation.py --seed {seed}` plays it again\n{said}")
    for title, names, counter in (("fault", FAULTS, faults), ("outcome", OUTCOMES, outcomes)):
        print(f"{title:<34}{'times':>9}")
        for name in names:
            few = "" if counter[name] >= 100 else "   fewer than 100"
            print(f"  {name:<32}{counter[name]:>9}{few}")
    least = min(min(faults[f] for f in FAULTS), min(outcomes[o] for o in OUTCOMES))
    print(f"\n{'what':<44}{'measured':>12}{'goal':>14}  ok")
    rate = totals["negotiations"] / took * 600
    rows = [
        ("negotiations, clean", totals["negotiations"], "", not failed),
        ("  of them killed and taken up again, lives", totals["lives"], "", True),
        ("  facts, every one checked", totals["events"], "", True),
        (f"negotiations in ten minutes, {args.processes} processes", round(rate), ">= 10000", rate >= 10_000),
        ("seeds that failed", len(failed), "0", not failed),
        ("the rarest fault or outcome", least, ">= 100", least >= 100),
        ("seconds", round(took, 1), "", True),
    ]
    for what, measured, goal, ok in rows:
        print(f"{what:<44}{measured:>12}{goal:>14}  {'yes' if ok else 'NO'}")
    if least < 100:
        print("(the rarest needs more seeds: --seeds 10000 is the full run)")
    return 1 if failed else 0


def _show(seed: int) -> int:
    from tests.simulation import play as module

    told: list[str] = []
    see = module.Watch.see

    def tell(watch: module.Watch, fact: object) -> None:
        kept = {k: v for k, v in fact.to_dict().items() if k not in ("agents", "receipt", "computed")}  # type: ignore[attr-defined]
        told.append(f"{fact.kind} {json.dumps(kept, default=list)[:300]}")  # type: ignore[attr-defined]
        see(watch, fact)  # type: ignore[arg-type]

    module.Watch.see = tell  # type: ignore[method-assign,assignment]
    try:
        played = play(seed)
    except Exception:
        print("\n".join(told))
        traceback.print_exc()
        return 1
    print("\n".join(told[: played.events]))
    print(dict(played.counts), dict(played.outcomes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
