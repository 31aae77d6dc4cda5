"""Broken pipelines, offline: how many the rule negotiators repair, by kind of mismatch and code style.

Each is built with no model, then run end to end with payload checks enforced. What is committed must run. Where nothing
but a guess says what is meant (a likeness of names, a default, a body that runs, a value of the stage before), the one
right end is a question and not a byte changed; such pairs stand in a row of their own. So do links that no change could
mend, because the value is nowhere. Of those with evidence at least three in four are repaired, and none is broken.

    python benchmarks/pipelines.py [--count 200] [--start 0]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.e2e.pipelines import KINDS, STYLES, generate
from tests.e2e.repair import Verdict, repair

GOAL = 0.75


def main(count: int, start: int) -> int:
    by_kind: dict[str, Counter[str]] = defaultdict(Counter)
    by_style: dict[str, Counter[str]] = defaultdict(Counter)
    guesses: Counter[str] = Counter()
    hopeless: Counter[str] = Counter()
    for seed in range(start, start + count):
        with TemporaryDirectory() as folder:
            pipeline = generate(seed)
            result = repair(pipeline, Path(folder))
        if result.verdict is Verdict.BROKEN:
            print(f"seed {seed} ({pipeline.kind}, {pipeline.variant}, {pipeline.style}): {result.reason}")
        if pipeline.guess:
            guesses["asked" if result.verdict is Verdict.LEFT and result.asked else str(result.verdict)] += 1
        elif pipeline.hopeless:
            hopeless[str(result.verdict)] += 1
        else:
            by_kind[pipeline.kind][result.verdict] += 1
            by_style[pipeline.style][result.verdict] += 1
        if sys.stderr.isatty():
            print(f"\r{seed - start + 1} of {count}", end="", file=sys.stderr)
    total: Counter[str] = Counter()
    print(f"{'kind':<12} {'repaired':>9} {'left':>6} {'broken':>7}   share   goal")
    for kind in KINDS:
        total.update(by_kind[kind])
        print(_row(kind, by_kind[kind], 0.3))
    print(_row("evidence", total, GOAL))
    print()
    for style in STYLES:
        print(_row(style, by_style[style], 0.0))
    wrong = guesses.total() - guesses["asked"]
    verdict = "NO" if wrong else "yes"
    print(f"\nonly a guess {guesses.total():>9}   asked {guesses['asked']}, otherwise {wrong}   goal: all   {verdict}")
    print(f"hopeless {hopeless.total():>13}   left {hopeless[Verdict.LEFT]}")
    bad = total[Verdict.BROKEN] + guesses[Verdict.BROKEN] + hopeless[Verdict.BROKEN]
    print(f"committed and broken {bad}   goal 0   {'NO' if bad else 'yes'}")
    short = total[Verdict.REPAIRED] < GOAL * total.total()
    return 1 if bad or wrong or short else 0


def _row(name: str, counts: Counter[str], goal: float) -> str:
    if not counts.total():  # every pipeline of this kind stands in the row "only a guess"
        return f"{name:<12} {0:>9} {0:>6} {0:>7}       –   nothing to judge"
    share = counts[Verdict.REPAIRED] / counts.total()
    fine = share >= goal and not counts[Verdict.BROKEN]
    numbers = f"{counts[Verdict.REPAIRED]:>9} {counts[Verdict.LEFT]:>6} {counts[Verdict.BROKEN]:>7}"
    return f"{name:<12} {numbers}   {share:>5.0%}   ≥ {goal:.0%}, broken 0  {'yes' if fine else 'NO'}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--start", type=int, default=0)
    given = parser.parse_args()
    sys.exit(main(given.count, given.start))
