"""Finished branches of one task, landed in pairs: how many land, how many land and are red, what is refused.

    python benchmarks/landing.py --data FOLDER [--pairs 20] [--orders 1] [--half] [--planted 40] [--git] [--out FILE]

FOLDER holds git repositories that are fetched, never committed: `CooperBench` (read at commit 44b4a7a) and `click` with
its history. A branch is the base commit of a task with `feature.patch` and `tests.patch` of one feature; a pair is two
branches of one task, 115 in all. `--project jinja` and `--project dirty-equals` judge the result: nothing is mended by
what they show. Every `resolution_patches` folder and `combined.patch` stays unread.

All tests of both sides are the proof. `--half`: a random half of the tests that each side brings is the proof, and the
other half judges what landed; what is green then would have landed with all tests as proof, too, and the rest is landed
once more with all of them, so that one run gives both figures.

`--planted`: in one side of a pair, a block of the other side stands once more under other names, or a value that the
other side gives is overwritten; nothing is run, so the promises alone must refuse it.
A fault counts only where it has effect in what the merge makes without promises (see `_landing_faults.py`).
`--semantic FOLDER`: pairs by a stranger that git merges silently, and their harmless twins; needs no other data.
`--histories FOLDER`: merges that people made where git stopped. `--kills N`: landings killed at random steps.
`--files N`: what a landing costs in a repository of so many files.
`--git`: what git's merge makes of the same pairs. Run it with an interpreter that has pytest 8 and no click of its own.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from _landing_faults import print_planted
from _landing_histories import print_histories
from _landing_kills import measure_processor, print_cost, print_kills
from _landing_semantic import print_semantic

from graphbus_core.commit.landing.land import Lander, LandingRequest
from graphbus_core.commit.landing.repository import Repository
from graphbus_core.commit.landing.suite import Suite

COMMIT = "44b4a7a"
# Repository -> its folder of tasks, and of each task the number of its features and the commit that they start from.
TASKS = {
    "click": ("pallets_click_task", {
        "task2068": (12, "d791537317947448a3960662d00acf160eff2602"),
        "task2800": (7, "d8763b93021c416549b5f8b4b5497234619410db"),
        "task2956": (8, "5c1239b0116b66492cdd0848144ab3c78a04495a"),
    }),
    "jinja": ("pallets_jinja_task", {
        "task1465": (10, "20eb7f5e33120f1717b78bdf85540ab75631187a"),
        "task1559": (10, "896a62135bcc151f2997e028c5125bec2cb2431f"),
        "task1621": (10, "a2920752fd111c2d52c88eb57487667b3cf0ea7b"),
    }),
    "dirty-equals": ("samuelcolvin_dirty_equals_task", {
        "task43": (9, "593bcccf738ab8b724d7cb860881d74344171f5f"),
    }),
}  # fmt: skip
# Fails by chance on the base commits themselves: a pager that is killed before it has written.
FLAKY = ("tests/test_utils.py::test_echo_via_pager",)


@dataclass(frozen=True)
class Pair:
    """Two features of one task; the second is landed on the first."""

    task: str
    first: int
    second: int

    def __str__(self) -> str:
        return f"{self.task}/{self.first}x{self.second}"

    @property
    def branches(self) -> tuple[str, str]:
        return f"{self.task}/feature{self.first}", f"{self.task}/feature{self.second}"


def main() -> None:
    options = read_options()
    if options.semantic:
        print_semantic(options.semantic, None if options.verify == "none" else options.verify, options.part)
        return
    if options.histories:
        print_histories(options.histories, options)
        return
    if options.kills:
        print_kills(options.kills, options.seed)
        return
    if options.files:
        print_cost(options.files)
        return
    work = prepare_branches(options.data, options.project)
    pairs = choose_pairs(options)
    if options.git:
        print_git(work, pairs)
    elif options.planted:
        chance = random.Random(options.seed)
        print_planted(list_sources(work, chance), options.planted, chance)
    else:
        land_pairs(work, pairs, options)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path())
    parser.add_argument("--semantic", type=Path, help="a folder of pairs, as its FORMAT.md says")
    parser.add_argument("--histories", type=Path, help="a folder of repositories; see _landing_histories.py")
    parser.add_argument("--count", type=int, default=200, help="of --histories")
    parser.add_argument("--each", type=int, default=25, help="of --histories: the most of one repository")
    parser.add_argument("--verify", default="auto", help="of --semantic and --histories: auto, none, or a command")
    parser.add_argument(
        "--judge", action="store_true", help="of --histories: hold what landed against the people's tests"
    )
    parser.add_argument(
        "--project", choices=TASKS, default="click", help="jinja and dirty-equals judge: nothing is mended by them"
    )
    parser.add_argument("--pairs", type=int, default=0, help="a random sample; all without it")
    parser.add_argument(
        "--shuffle", action="store_true", help="in the order of the seed: what is done first is a sample"
    )
    parser.add_argument("--only", nargs="*", default=(), help="pairs by name: task2068/3x5")
    parser.add_argument("--orders", type=int, default=2, choices=(1, 2))
    parser.add_argument("--half", action="store_true")
    parser.add_argument("--planted", type=int, default=0)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--files", type=int, default=0)
    parser.add_argument("--git", action="store_true")
    parser.add_argument("--seed", type=int, default=41)
    parser.add_argument("--part", default="0/1", help="which part of the pairs: 0/2, 1/2")
    parser.add_argument("--out", type=Path, help="a line for each pair; pairs that have one are not run again")
    return parser.parse_args()


def run_git(folder: Path, *words: str, data: bytes | None = None) -> bytes:
    done = subprocess.run(["git", "-C", str(folder), *words], input=data, capture_output=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"git {' '.join(words)}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def prepare_branches(data: Path, project: str) -> Path:
    """A clone of a project in which every feature is a branch; made once."""
    work = data / ("branches" if project == "click" else f"branches-{project}")
    if (work / ".ready").exists():
        return work
    shutil.rmtree(work, ignore_errors=True)
    run_git(data, "clone", "--quiet", "--no-checkout", str(data / project), str(work))
    run_git(work, "checkout", "--quiet", "--detach")
    for key, value in (
        ("user.name", "benchmark"),
        ("user.email", "benchmark@example.org"),
        ("advice.detachedHead", "0"),
    ):
        run_git(work, "config", key, value)
    folder, tasks = TASKS[project]
    for task, (features, base) in tasks.items():
        run_git(work, "branch", "--force", f"{task}/base", base)
        for number in range(1, features + 1):
            run_git(work, "checkout", "--quiet", "--force", "--detach", base)
            for name in ("feature", "tests"):
                path = f"{COMMIT}:dataset/{folder}/{task}/feature{number}/{name}.patch"
                patch = run_git(data / "CooperBench", "show", path)
                run_git(work, "apply", "--ignore-whitespace", "--ignore-space-change", "-", data=patch)
            run_git(work, "add", "--all")
            run_git(work, "commit", "--quiet", "--message", f"{task} feature{number}")
            run_git(work, "branch", "--force", f"{task}/feature{number}")
    (work / ".ready").touch()
    return work


def choose_pairs(options: argparse.Namespace) -> list[Pair]:
    pairs = [
        Pair(t, a, b)
        for t, (n, _) in TASKS[options.project][1].items()
        for a, b in itertools.combinations(range(1, n + 1), 2)
    ]
    if options.only:
        return [p for p in pairs if str(p) in options.only]
    if options.pairs or options.shuffle:
        random.Random(options.seed).shuffle(pairs)
        pairs = pairs[: options.pairs or None]
    if options.orders == 2:
        pairs = [q for p in pairs for q in (p, Pair(p.task, p.second, p.first))]
    part, parts = map(int, options.part.split("/"))
    return pairs[part::parts]


def land_pairs(work: Path, pairs: list[Pair], options: argparse.Namespace) -> None:
    """Land each pair for real in a clone, and put the branch back."""
    repository = clone_branches(work, options)
    ends: Counter[str] = Counter()
    known = read_lines(options.out)
    for pair in pairs:
        if str(pair) in known:
            count_line(ends, known[str(pair)])
            continue
        judges = split_tests(repository, pair, random.Random(f"{options.seed} {pair}")) if options.half else ()
        line = land_pair(repository, pair, judges)
        if options.half:
            line["all"] = line["end"]
            if line["end"] == "landed and green":
                line["all"] = "landed"  # the same candidate is the first that passes all tests, too
            elif line["end"] == "LANDED AND RED" or line["by"] == "tests":
                again = land_pair(repository, pair, ())
                line |= {"all": again["end"], "why_all": again["why"]}
        count_line(ends, line)
        print(json.dumps(line), flush=True)
        if options.out:
            with options.out.open("a") as file:
                file.write(json.dumps(line) + "\n")
    for end, count in ends.most_common():
        print(f"{end}: {count} of {len(pairs)} ({100 * count / len(pairs):.1f} %)")


def read_lines(out: Path | None) -> dict[str, dict[str, object]]:
    """What an earlier run with the same `--out` came to, by pair: it is not run again."""
    lines = out.read_text().splitlines() if out is not None and out.exists() else []
    return {str(line["pair"]): line for line in map(json.loads, lines)}


def count_line(ends: Counter[str], line: dict[str, object]) -> None:
    ends[str(line["end"])] += 1
    if "all" in line:
        ends[f"all tests as proof: {line['all']}"] += 1


def clone_branches(work: Path, options: argparse.Namespace) -> Repository:
    """A clone to land in; what is found out about trees is kept for the next run."""
    clone = options.data / f"clone-{options.project}-{options.part.replace('/', '-')}-{int(options.half)}"
    shutil.rmtree(clone, ignore_errors=True)
    run_git(options.data, "clone", "--quiet", "--shared", str(work), str(clone))
    cache = options.data / "cache"
    cache.mkdir(exist_ok=True)
    state = clone / ".git" / "graphbus"
    state.mkdir()
    (state / "cache").symlink_to(cache)
    for key, value in (("user.name", "benchmark"), ("user.email", "benchmark@example.org")):
        run_git(clone, "config", key, value)
    return Repository(clone)


def land_pair(repository: Repository, pair: Pair, judges: tuple[str, ...]) -> dict[str, object]:
    """Land the second on the first without the judges, and let them judge."""
    ours, theirs = (f"origin/{name}" for name in pair.branches)
    clone = repository.root
    run_git(clone, "checkout", "--quiet", "--force", "-B", "work", ours)
    before = run_git(clone, "rev-parse", "HEAD"), run_git(clone, "status", "--porcelain")
    begun, cpu = time.monotonic(), measure_processor()
    landing = Lander(repository, LandingRequest((theirs,), leave_out=(*FLAKY, *judges))).land_all()[0]
    own, runs = (now - old for now, old in zip(measure_processor(), cpu, strict=True))
    end = landing.status
    if end == "landed" and judges:
        end = "landed and green" if is_green(repository, pair, judges) else "LANDED AND RED"
    elif end == "refused" and before != (
        run_git(clone, "rev-parse", "HEAD"),
        run_git(clone, "status", "--porcelain"),
    ):
        end = "REFUSED AND CHANGED"
    return {"pair": str(pair), "end": end, "by": landing.gates[-1].gate if landing.gates else "merge",
            "why": landing.why[:300], "candidate": landing.chosen + 1, "candidates": landing.candidates,
            "runs": landing.runs, "judges": len(judges), "seconds": round(time.monotonic() - begun, 1),
            "own_cpu_s": round(own, 2), "runs_cpu_s": round(runs, 2)}  # fmt: skip


def split_tests(repository: Repository, pair: Pair, chance: random.Random) -> tuple[str, ...]:
    """Half of the tests that each side brings: the judges, which the proof does not see."""
    trees = [repository.resolve(f"origin/{name}") for name in (f"{pair.task}/base", *pair.branches)]
    suite = Suite(repository, trees[1:], trees[0], cache=repository.common / "graphbus" / "cache", leave_out=FLAKY)
    old = suite.collect(trees[0])
    judges: list[str] = []
    for tree in trees[1:]:
        brought = sorted(suite.collect(tree) - old)
        chance.shuffle(brought)
        judges += brought[: len(brought) // 2]
    return tuple(dict.fromkeys(judges))


def is_green(repository: Repository, pair: Pair, judges: tuple[str, ...]) -> bool:
    """Whether the judges pass on what landed; everything else passed there, or it had not landed."""
    trees = [repository.resolve(f"origin/{name}") for name in (f"{pair.task}/base", *pair.branches)]
    cache = repository.common / "graphbus" / "cache"
    suite = Suite(repository, trees[1:], trees[0], leave_out=FLAKY, cache=cache)
    landed = repository.resolve("HEAD")
    gone = sorted(set(judges) - suite.collect(landed))
    why = f"{gone[0]} is gone" if gone else suite.judge_some(landed, judges)
    if why:
        print(f"  {pair}: {why}", file=sys.stderr)
    return not why


def print_git(work: Path, pairs: list[Pair]) -> None:
    """How many of the pairs git merges without a conflict; nothing is run."""
    clean = 0
    for pair in pairs:
        done = subprocess.run(
            ["git", "-C", str(work), "merge-tree", "--write-tree", *pair.branches], capture_output=True, check=False
        )
        clean += done.returncode == 0
    print(f"git merges {clean} of {len(pairs)} pairs without a conflict (tests not run)")


def read_shared_sources(work: Path, pair: Pair) -> Iterator[tuple[str, bytes, bytes, bytes]]:
    """The sources that both branches of a pair changed: path, base, ours, theirs."""
    ours, theirs = pair.branches
    names = [set(run_git(work, "diff", "--name-only", f"{pair.task}/base", b).decode().split()) for b in (ours, theirs)]
    for path in sorted(names[0] & names[1]):
        if path.startswith("src/") and path.endswith(".py"):
            yield path, *(run_git(work, "show", f"{ref}:{path}") for ref in (f"{pair.task}/base", ours, theirs))


def list_sources(work: Path, chance: random.Random) -> Iterator[tuple[str, str, bytes, bytes, bytes]]:
    """Every pair's shared sources, in the order of a seed."""
    pairs = [
        Pair(t, a, b) for t, (n, _) in TASKS["click"][1].items() for a, b in itertools.permutations(range(1, n + 1), 2)
    ]
    chance.shuffle(pairs)
    for pair in pairs:
        for path, base, ours, theirs in read_shared_sources(work, pair):
            yield str(pair), path, base, ours, theirs


if __name__ == "__main__":
    main()
