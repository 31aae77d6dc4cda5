"""Evidence before change: what the rules commit where nobody can know, and where the project says what is meant.

Five corpora, each built as a user would (`graphbus build agents --enable-agents`, no model), then run:

- traps: every repair is wrong in meaning. Right is not a byte changed, exit 1, a question that names the candidates.
- honest: evidence stands in the project. Right is a repair that gives the right value with payload checks enforced.
- guessed: honest as well, and only names or descriptions say so. Right is a question, since the same rests on nothing
  in a trap.
- outside: callers stand beside the agents' folder. All must run afterwards and print what they printed before.
- public: correct programs of others, turned into nodes. Right is not a finding, and not a byte changed.

    python benchmarks/evidence.py [--quick] [--part traps|honest|guessed|outside|public] [--only TEXT] [--show]
    python benchmarks/evidence.py --cases FOLDER [--only TEXT] [--show] [--jobs N]

`--cases` judges a folder of programs by somebody who has not seen the rule (`evidence_cases/strangers.py`).
The public programs are read from the folder that GRAPHBUS_PUBLIC names; `--list-public` says which ones belong there.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.evidence_cases.case import Case
from benchmarks.evidence_cases.honest import honest
from benchmarks.evidence_cases.judge import Result, judge
from benchmarks.evidence_cases.lookalikes import lookalikes
from benchmarks.evidence_cases.outside import outside
from benchmarks.evidence_cases.public import PROGRAMS, check_public, missing_public
from benchmarks.evidence_cases.strangers import judge_all, print_table
from benchmarks.evidence_cases.traps import traps

HONEST_SHARE = 0.90
GUESSED = ("spelling", "prefix", "description")  # kinds of honest cases that no program and no declaration proves
QUICK_EACH = 2  # cases of each kind of trap and honest mismatch in --quick
PARTS: dict[str, Callable[[], Iterable[Case]]] = {
    "traps": lambda: (*traps(), *lookalikes()),
    "honest": lambda: (case for case in honest() if case.kind not in GUESSED),
    "guessed": lambda: (case for case in honest() if case.kind in GUESSED),
    "outside": outside,
}
GOOD = {"traps": ("asked",), "honest": ("right",), "guessed": ("asked",), "outside": ("followed", "refused")}
BAD = {
    "traps": ("committed", "bad case"),
    "honest": ("wrong", "bad case"),
    "guessed": ("right", "wrong", "bad case"),
    "outside": ("broken", "bad case"),
}


def run(cases: Sequence[Case], show: bool) -> list[Result]:
    """Judge each in a folder of its own."""
    results = []
    for number, case in enumerate(cases, 1):
        with TemporaryDirectory(prefix="evidence") as folder:
            results.append(judge(case, Path(folder)))
        if sys.stderr.isatty():
            print(f"\r{number} of {len(cases)} ", end="", file=sys.stderr)
        if show and results[-1].why:
            print(f"  {case.kind}: {case.name}: {results[-1].verdict}: {results[-1].why}")
    return results


def table(part: str, results: Sequence[Result]) -> bool:
    """Print the part's figures; whether its goal is met."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for one in results:
        kinds["program" if part == "outside" else one.case.kind][one.verdict] += 1
    print(f"\n{part}: {len(results)} cases")
    for kind, counts in kinds.items():
        print(f"  {kind:<18} " + "  ".join(f"{verdict} {number}" for verdict, number in sorted(counts.items())))
    total = Counter(one.verdict for one in results)
    good = sum(total[verdict] for verdict in GOOD[part])
    bad = sum(total[verdict] for verdict in BAD[part])
    goal = HONEST_SHARE if part == "honest" else 1.0
    met = good >= goal * len(results) and not bad
    enough = "yes" if good >= goal * len(results) else "NO"
    print(f"  {' or '.join(GOOD[part])}: {good} of {len(results)}   goal ≥ {goal:.0%}   {enough}")
    print(f"  {' or '.join(BAD[part])}: {bad}   goal 0   {'NO' if bad else 'yes'}")
    return met


def chosen(part: str, quick: bool, only: str) -> list[Case]:
    """The cases of a part; with `quick` the first few of each kind, and every sixth program."""
    cases = [case for case in PARTS[part]() if only in case.kind or only in case.name]
    if not quick:
        return cases
    if part == "outside":
        return cases[::6]
    seen: Counter[str] = Counter()
    few = []
    for case in cases:
        seen[case.kind] += 1
        if seen[case.kind] <= QUICK_EACH:
            few.append(case)
    return few


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts; 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two of each kind, a few programs")
    parser.add_argument("--part", choices=(*PARTS, "public"), help="one corpus")
    parser.add_argument("--only", default="", help="kinds or names that hold this text")
    parser.add_argument("--show", action="store_true", help="say why, case by case")
    parser.add_argument("--list-public", action="store_true", help="the public programs, with their commits")
    parser.add_argument("--cases", type=Path, help="a folder of strangers' programs")
    parser.add_argument("--jobs", type=int, default=1, help="programs of --cases that are judged at once")
    given = parser.parse_args(arguments)
    if given.cases:
        return 0 if print_table(judge_all(given.cases.resolve(), given.only, given.show, given.jobs)) else 1
    if given.list_public:
        print("\n".join(f"{one.repository}@{one.commit}" for one in PROGRAMS))
        return 0
    met, began = True, time.process_time()
    for part in PARTS:
        if given.part in (None, part):
            met &= table(part, run(chosen(part, given.quick, given.only), given.show))
    if given.part in (None, "public") and not given.quick:
        if said := missing_public():
            print(f"\npublic: NOT RUN: {said}")
            met = False
        else:
            met &= check_public(given.only, given.show)
    verdict = "Every goal is met." if met else "A goal is MISSED."
    print(f"\n{time.process_time() - began:.0f} s of processor time. {verdict}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
