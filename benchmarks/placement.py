"""Which nodes several processes may share: `python benchmarks/placement.py --cases FOLDER [--show WHAT]`.

FOLDER holds modules of one node each; the first line of a module is the answer, `# stateful` or `# pure`, and is taken
away before anything reads it. It may hold folders as well: a small project, whose file ANSWERS says the same of
each node. Shared wrongly is a stateful node that several processes would run, with two totals.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from graphbus_core.analysis.scan import scan  # noqa: E402
from graphbus_core.artifacts.placement import read_recorded  # noqa: E402
from graphbus_core.errors import GraphBusError  # noqa: E402

ANSWERS = ("stateful", "pure")
GOAL_SHARED = 0.9  # of the pure ones
RESULTS = ("shared wrongly", "alone", "shared", "alone needlessly", "not scanned")
Reasons = dict[str, str]  # of each node, by its class; empty: several processes may share it


def judge_module(path: Path) -> tuple[str, str, str]:
    """The stranger's answer for one module, ours, and why."""
    first, _, rest = path.read_text(encoding="utf-8").partition("\n")
    answer = first.strip("# \r")
    if answer not in ANSWERS:
        raise SystemExit(f"{path.name}: its first line says {first!r}, and must be # stateful or # pure.")
    folder = Path(tempfile.mkdtemp(prefix="graphbus-placement-"))
    try:
        (folder / path.name).write_text("\n" + rest, encoding="utf-8")  # lines keep their numbers
        reasons = find_reasons(folder)
    except GraphBusError as error:
        return answer, "not scanned", str(error)
    finally:
        shutil.rmtree(folder)
    return answer, *judge(answer, "; ".join(filter(None, reasons.values())))


def judge_project(folder: Path) -> Iterator[tuple[str, str, str, str]]:
    """The same for each node of a small project, after its name."""
    lines = (folder / "ANSWERS").read_text(encoding="utf-8").splitlines()
    answers = dict(line.partition("#")[0].split() for line in lines if line.strip())
    if wrong := {*answers.values()} - {*ANSWERS}:
        raise SystemExit(f"{folder.name}/ANSWERS says {', '.join(sorted(wrong))}, and must say stateful or pure.")
    copy = Path(tempfile.mkdtemp(prefix="graphbus-placement-"))
    try:
        shutil.copytree(folder, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns("ANSWERS", "__pycache__"))
        reasons = find_reasons(copy)
    except GraphBusError as error:
        yield from ((name, answer, "not scanned", str(error)) for name, answer in answers.items())
        return
    finally:
        shutil.rmtree(copy)
    for name, answer in answers.items():
        if name not in reasons:
            yield name, answer, "not scanned", "the scan found no such node"
        else:
            yield name, answer, *judge(answer, reasons[name])


def find_reasons(folder: Path) -> Reasons:
    """What the scan says of each node. Raises GraphBusError."""
    placed = {agent.class_name.rpartition(".")[2]: read_recorded(agent) for agent in scan(folder).agents}
    return {name: placement.why if placement is not None else "" for name, placement in placed.items()}


def judge(answer: str, reason: str) -> tuple[str, str]:
    """Our answer beside the stranger's, and why."""
    if reason:
        return "alone" if answer == "stateful" else "alone needlessly", reason
    return "shared wrongly" if answer == "stateful" else "shared", ""


def main() -> int:
    """The totals; exits 1 where a node is shared wrongly, or too few are shared."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", required=True, type=Path)
    parser.add_argument("--show", choices=RESULTS, help="name the nodes of this result, with our reason")
    args = parser.parse_args()
    judged = [(path.name, *judge_module(path)) for path in sorted(args.cases.glob("*.py"))]
    for answers in sorted(args.cases.glob("*/ANSWERS")):
        judged += [(f"{answers.parent.name} {name}", *rest) for name, *rest in judge_project(answers.parent)]
    counts = Counter((answer, result) for _, answer, result, _ in judged)
    for name, _, result, why in judged:
        if args.show == result:
            print(f"{name}: {why}")
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
