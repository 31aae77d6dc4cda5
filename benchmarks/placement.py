"""Which nodes several processes may share: `python benchmarks/placement.py --cases FOLDER [--show WHAT]`.

FOLDER holds modules of one node each; the first line of a module is the answer, `# stateful` or `# pure`, and is taken
away before anything reads it. Shared wrongly is a stateful node that several processes would run, with two totals.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from graphbus_core.analysis.scan import scan  # noqa: E402
from graphbus_core.artifacts.placement import read_recorded  # noqa: E402
from graphbus_core.errors import GraphBusError  # noqa: E402

ANSWERS = ("stateful", "pure")
GOAL_SHARED = 0.9  # of the pure ones
RESULTS = ("shared wrongly", "alone", "shared", "alone needlessly", "not scanned")


def judge(path: Path) -> tuple[str, str, str]:
    """The stranger's answer for one module, ours, and why."""
    first, _, rest = path.read_text(encoding="utf-8").partition("\n")
    answer = first.strip("# \r")
    if answer not in ANSWERS:
        raise SystemExit(f"{path.name}: its first line says {first!r}, and must be # stateful or # pure.")
    folder = Path(tempfile.mkdtemp(prefix="graphbus-placement-"))
    try:
        (folder / path.name).write_text("\n" + rest, encoding="utf-8")  # lines keep their numbers
        try:
            agents = scan(folder).agents
        except GraphBusError as error:
            return answer, "not scanned", str(error)
    finally:
        shutil.rmtree(folder)
    reasons = [reason.why for agent in agents if (reason := read_recorded(agent)) is not None]
    if reasons:
        return answer, "alone" if answer == "stateful" else "alone needlessly", "; ".join(reasons)
    return answer, "shared wrongly" if answer == "stateful" else "shared", ""


def main() -> int:
    """The totals; exits 1 where a node is shared wrongly, or too few are shared."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", required=True, type=Path)
    parser.add_argument("--show", choices=RESULTS, help="name the modules of this result, with our reason")
    args = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    for path in sorted(args.cases.glob("*.py")):
        answer, result, why = judge(path)
        counts[answer, result] += 1
        if args.show == result:
            print(f"{path.name}: {why}")
    totals = {answer: sum(n for (a, _), n in counts.items() if a == answer) for answer in ANSWERS}
    wrong, shared = counts["stateful", "shared wrongly"], counts["pure", "shared"]
    for answer in ANSWERS:
        rows = ", ".join(f"{result} {counts[answer, result]}" for result in RESULTS if counts[answer, result])
        print(f"{answer:<9} {totals[answer]:>3}: {rows}")
    good = not wrong and shared >= GOAL_SHARED * totals["pure"] and all(totals.values())
    print(f"shared wrongly {wrong} of {totals['stateful']} (goal 0)")
    print(f"pure ones shared {shared} of {totals['pure']} (goal 9 of 10)")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
