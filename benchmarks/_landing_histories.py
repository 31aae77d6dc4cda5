"""Merges that people made where git stopped: what a landing makes of them, held against what the people made.

FOLDER holds repositories (bare or not), fetched, never committed. Of each, in the order of their names, the newest
merge commits of HEAD with two parents whose merge by git (`git merge-tree --write-tree`, its default strategy) stops in
a Python file; at most `--each` of one repository, until `--count` are found. So git lands none of them, and what is
compared is stated: every file that both sides changed, as the people's merge commit has it. `bytes`: all are equal;
`ast`: each Python file says the same; anything else is told by file. `diff3`: whether GNU diff3 merges all of them.

With `--verify none` a landing is the merge, its promises, and the gates that run nothing. `--judge`: what is not as the
people made it is held against the people's tests, as far as they run by the interpreter that runs the benchmark: what
passes on the people's merge must pass on what landed. Of the tests, only the files that speak of what differs.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from graphbus_core.commit.landing.land import Lander, LandingRequest
from graphbus_core.commit.landing.repository import Blob, Repository, Tree
from graphbus_core.commit.landing.suite import Suite
from graphbus_core.editing.scope import is_test_file

TESTS_S = 300.0  # of one run of a project's tests
MAX_TEST_FILES = 12


@dataclass(frozen=True)
class Merge:
    """A merge commit, its parents, and the Python files that git stops in."""

    repository: Path
    commit: str
    ours: str
    theirs: str
    files: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.repository.name} {self.commit[:12]}"


def print_histories(folder: Path, options: argparse.Namespace) -> None:
    """Land the merges again, and count. What `--out` has is not done again."""
    merges = list_merges(folder, options.count, options.each)
    first, parts = map(int, options.part.split("/"))
    only = options.only
    ends: Counter[str] = Counter()
    chosen = [
        m for m in merges[first::parts] if not only or any(name in f"{m.repository.name} {m.commit}" for name in only)
    ]
    out = options.out
    known = (
        {line["merge"]: line for line in map(json.loads, out.read_text().splitlines())} if out and out.exists() else {}
    )
    for merge in chosen:
        line = known.get(merge.name)
        if line is None:
            line = land_merge(merge, folder, "true" if options.verify == "none" else options.verify, options.judge)
            print(json.dumps(line), flush=True)
            if out:
                with out.open("a") as file:
                    file.write(json.dumps(line) + "\n")
        ends[re.sub(r": .*| by \d+ tests.*", "", str(line["end"]))] += 1
        ends["merged by diff3"] += bool(line["diff3"])
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


def land_merge(merge: Merge, folder: Path, verify: str, judge: bool) -> dict[str, object]:
    """The second parent landed on the first, in a clone, and what it comes to beside what the people made."""
    clone = open_clone(merge.repository, folder)
    run(clone, "update-ref", "refs/heads/work", merge.ours)
    run(clone, "symbolic-ref", "HEAD", "refs/heads/work")
    repository = Repository(clone)
    begun = time.monotonic()
    landing = Lander(repository, LandingRequest((merge.theirs,), verify=verify, dry_run=True)).land_all()[0]
    line: dict[str, object] = {
        "merge": merge.name, "files": merge.files, "end": landing.status,
        "by": landing.gates[-1].gate if landing.gates else "merge", "why": landing.why[:300],
        "diff3": merges_by_diff3(repository, merge),
    }  # fmt: skip
    if landing.status == "provable":
        differing, how = compare(repository, merge, landing.commit)
        line |= {"end": f"landed as the people did it ({how})" if how else "landed otherwise", "differing": differing}
        if judge and not how:
            line["end"] = judge_by_tests(repository, merge, landing.commit, differing)
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


def judge_by_tests(repository: Repository, merge: Merge, landed: str, differing: Sequence[str]) -> str:
    """Whether every test passes that passes on the people's merge: of the files of tests that speak of what differs."""
    python = [path for path in differing if path.endswith(".py")]
    if not python:
        return "landed otherwise, every Python file as the people's"
    trees = (repository.read_tree(merge.commit), repository.read_tree(landed))
    files = list_telling_tests(repository, trees[0], python)
    suite = Suite(repository, (merge.commit, merge.commit), merge.commit, timeout_s=TESTS_S)
    before, now = (
        suite.run_tests(tree, [f for f in files if f in t])
        for tree, t in zip((merge.commit, landed), trees, strict=True)
    )
    passed = [name for name, end in before.ends.items() if end == "passed"]
    if not passed:
        return "landed otherwise, its tests do not run here"
    red = [name for name in passed if now.ends.get(name) in ("failed", "error")]
    gone = [
        n
        for n in passed
        if n not in now.ends and n.partition("::")[0] not in python and n.partition("::")[0] in trees[1]
    ]
    if red or gone or not now.ends:
        return f"LANDED OTHERWISE, RED BY THE PEOPLE'S TESTS: {[*red, *gone, 'none ran'][0]}"
    return f"landed otherwise, green by {len(passed)} tests of the people's"


def list_telling_tests(repository: Repository, tree: Tree, paths: Sequence[str]) -> list[str]:
    """The files of tests among some paths, and those that speak of a module among them; bounded."""
    words = [Path(path).stem.encode() for path in paths if Path(path).stem != "__init__"]
    own = [path for path in paths if is_test_file(path) and path in tree]
    tests = [path for path in tree if path.endswith(".py") and is_test_file(path) and path not in own]
    named = [path for path in tests if any(word.decode().strip("_") in path for word in words)]
    telling = [
        path for path in tests if path not in named and any(w in repository.read_blob(tree[path]) for w in words)
    ]
    return [path for path in (*own, *named, *telling) if "conftest" not in path][:MAX_TEST_FILES]


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
