"""Merges that people made where git stopped: what a landing makes of them, held against what the people made.

FOLDER holds repositories (bare or not), fetched, never committed. Of each, in the order of their names, the newest
merge commits of HEAD with two parents whose merge by git (`git merge-tree --write-tree`, its default strategy) stops in
a Python file; at most `--each` of one repository, until `--count` are found. So git lands none of them, and what is
compared is stated: every file that both sides changed, as the people's merge commit has it. `bytes`: all are equal;
`ast`: each Python file says the same; anything else is told by file. `diff3`: whether GNU diff3 merges all of them.

A landing runs with `--verify true`: the merge, its promises, and the gates that run nothing. With `--verify auto` the
tests run, by the interpreter that runs the benchmark; then what is not as the people made it may still be green.
"""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphbus_core.commit.landing.land import Lander, LandingRequest
from graphbus_core.commit.landing.repository import Blob, Repository
from graphbus_core.commit.landing.suite import Suite


@dataclass(frozen=True)
class Merge:
    """A merge commit, its parents, and the Python files that git stops in."""

    repository: Path
    commit: str
    ours: str
    theirs: str
    files: tuple[str, ...]


def print_histories(folder: Path, count: int, each: int, verify: str, part: str, only: tuple[str, ...]) -> None:
    """Land the merges again, and count."""
    merges = list_merges(folder, count, each)
    first, parts = map(int, part.split("/"))
    ends: Counter[str] = Counter()
    chosen = [m for m in merges[first::parts] if not only or any(name in str(m.repository) for name in only)]
    for merge in chosen:
        line = land_merge(merge, folder, verify)
        ends[str(line["end"])] += 1
        ends["merged by diff3"] += bool(line["diff3"])
        print(json.dumps(line), flush=True)
    print(f"{len(chosen)} of {len(merges)} merges, of {len({m.repository for m in merges})} repositories")
    for end, number in ends.most_common():
        print(f"{end}: {number} of {len(chosen)} ({100 * number / max(1, len(chosen)):.1f} %)")


def list_merges(folder: Path, count: int, each: int) -> list[Merge]:
    """The merges that the query finds; kept, since it looks at thousands."""
    kept = folder / f"merges-{count}-{each}.json"
    if kept.exists():
        return [Merge(Path(path), *rest, tuple(files)) for path, *rest, files in json.loads(kept.read_text())]
    found: list[Merge] = []
    for repository in sorted(p for p in folder.iterdir() if (p / "HEAD").exists() or (p / ".git").exists()):
        found += list(find_merges(repository, min(each, count - len(found))))
    rows = [[str(m.repository), m.commit, m.ours, m.theirs, m.files] for m in found]
    kept.write_text(json.dumps(rows))
    return found


def find_merges(repository: Path, limit: int) -> Iterator[Merge]:
    for row in run(repository, "rev-list", "--merges", "--parents", "HEAD").decode().splitlines():
        commit, *parents = row.split()
        if limit <= 0 or len(parents) != 2:
            continue
        words = ("merge-tree", "--write-tree", "--name-only", "--no-messages", *parents)
        done = subprocess.run(["git", "-C", str(repository), *words], capture_output=True, check=False)
        names = done.stdout.decode(errors="surrogateescape").splitlines()[1:]
        files = tuple(name for name in names if name.endswith(".py"))
        if done.returncode == 1 and files:
            limit -= 1
            yield Merge(repository, commit, *parents, files)


def run(folder: Path, *words: str) -> bytes:
    return subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True).stdout


def land_merge(merge: Merge, folder: Path, verify: str) -> dict[str, object]:
    """The second parent landed on the first, in a clone, and what it comes to beside what the people made."""
    clone = open_clone(merge.repository, folder)
    run(clone, "update-ref", "refs/heads/work", merge.ours)
    run(clone, "symbolic-ref", "HEAD", "refs/heads/work")
    repository = Repository(clone)
    begun = time.monotonic()
    landing = Lander(repository, LandingRequest((merge.theirs,), verify=verify, dry_run=True)).land_all()[0]
    line: dict[str, object] = {
        "merge": f"{merge.repository.name} {merge.commit[:12]}", "files": merge.files, "end": landing.status,
        "by": landing.gates[-1].gate if landing.gates else "merge", "why": landing.why[:300],
        "diff3": merges_by_diff3(repository, merge),
    }  # fmt: skip
    if landing.status == "provable":
        differing, how = compare(repository, merge, landing.commit)
        line |= {"end": f"landed as the people did it ({how})" if how else "landed otherwise", "differing": differing}
        if verify == "auto" and not how:
            line["end"] = judge_by_tests(repository, merge, landing.commit)
    return line | {"seconds": round(time.monotonic() - begun, 1)}


def open_clone(source: Path, folder: Path) -> Path:
    clone = folder / ".clones" / source.name
    if not clone.exists():
        clone.parent.mkdir(exist_ok=True)
        run(folder, "clone", "--quiet", "--shared", "--no-checkout", str(source), str(clone))
        for key, value in (("user.name", "benchmark"), ("user.email", "benchmark@example.org")):
            run(clone, "config", key, value)
    return clone


def compare(repository: Repository, merge: Merge, landed: str) -> tuple[list[str], str]:
    """The files of both sides that are not as the people's, and how the others are equal: `bytes`, `ast`, or not."""
    ours, theirs, people, now = (repository.read_tree(c) for c in (merge.ours, merge.theirs, merge.commit, landed))
    base = repository.read_tree(repository.merge_bases(merge.ours, merge.theirs)[0])
    both = [p for p in {*ours, *theirs} if base.get(p) != ours.get(p) != theirs.get(p) != base.get(p)]
    unequal = sorted(path for path in {*both, *merge.files} if people.get(path) != now.get(path))
    differing = [path for path in unequal if not says_the_same(repository, path, people.get(path), now.get(path))]
    return differing, "" if differing else "ast" if unequal else "bytes"


def says_the_same(repository: Repository, path: str, some: Blob | None, other: Blob | None) -> bool:
    if some is None or other is None or not path.endswith(".py"):
        return False
    try:
        return ast.dump(ast.parse(repository.read_blob(some))) == ast.dump(ast.parse(repository.read_blob(other)))
    except SyntaxError:
        return False


def judge_by_tests(repository: Repository, merge: Merge, landed: str) -> str:
    """Whether every test passes that passes on the people's merge."""
    cache = Path(repository.common) / "graphbus" / "cache"
    suite = Suite(repository, (merge.commit, merge.commit), merge.commit, cache=cache)
    verdict = suite.judge(landed)
    if verdict.passed:
        return "landed otherwise, green" if verdict.tests else "landed otherwise, no tests run"
    return f"LANDED OTHERWISE, RED BY THE PEOPLE'S TESTS: {verdict.why[:200]}"


def merges_by_diff3(repository: Repository, merge: Merge) -> bool | None:
    """Whether GNU diff3 merges the files that git stops in; None where there is none."""
    if shutil.which("diff3") is None:
        return None
    base = repository.merge_bases(merge.ours, merge.theirs)[0]
    trees = [repository.read_tree(commit) for commit in (merge.ours, base, merge.theirs)]
    with tempfile.TemporaryDirectory(prefix="landing-diff3-") as name:
        for path in merge.files:
            files = [Path(name) / str(i) for i in range(3)]
            for file, tree in zip(files, trees, strict=True):
                file.write_bytes(repository.read_blob(tree.get(path)))
            if subprocess.run(["diff3", "-m", *map(str, files)], capture_output=True, check=False).returncode:
                return False
    return True
