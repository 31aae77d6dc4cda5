"""Real coding agents on CooperBench tasks of two features, in four modes: what landed, at what price, and why not.

    one alone       one agent builds both features
    git only        two agents, a working tree and a branch each; git merges the branches at the end
    free messages   the same, and `say TEXT` and `read` between them
    this table      the same, with `graphbus team`; each lands its own

Success: the tests of both features are green on what came to be on `main`. A pair whose published patches fail their
own tests on this machine is left out, and said. `calls` and `characters` count the words between agents: what `say`,
`read` and `graphbus` were called, and what they printed.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

TASKS = "dataset/pallets_click_task"
MODES = ("one alone", "git only", "free messages", "this table")
TEST_S = 600.0
STAND_IN = Path(__file__).with_name("_team_stand_in.py")
SKILL = Path(__file__).parents[1] / "skill/skills/team/SKILL.md"
# A command that agents call, around the real one: it writes down what was printed.
SHIM = """#!{python}
import json, subprocess, sys
done = subprocess.run([*{command!r}, *sys.argv[1:]], capture_output=True, text=True)
sys.stdout.write(done.stdout)
sys.stderr.write(done.stderr)
with open({log!r}, "a") as log:
    log.write(json.dumps([len(done.stdout) + len(done.stderr), " ".join(sys.argv[1:])[:80]]) + "\\n")
sys.exit(done.returncode)
"""
MESSAGES = """import os, sys
folder, me = {folder!r}, os.environ["TEAMWORK_SEAT"]
if {says}:
    with open(folder + "/messages", "a") as out:
        out.write(me + ": " + " ".join(sys.argv[1:]).replace("\\n", " ") + "\\n")
else:
    at = folder + "/read-" + me
    seen = int(open(at).read()) if os.path.exists(at) else 0
    lines = open(folder + "/messages").read().splitlines() if os.path.exists(folder + "/messages") else []
    print("\\n".join(line for line in lines[seen:] if not line.startswith(me + ":")) or "Nothing new.")
    open(at, "w").write(str(len(lines)))
"""


@dataclass(frozen=True)
class Feature:
    """One feature of a task: what is asked, the tests that judge it, and the published patch."""

    name: str
    text: str
    tests: bytes
    patch: bytes


@dataclass(frozen=True)
class Pair:
    """Two features of one repository at one commit. `suites`: the test files that are run."""

    task: str
    commit: str
    features: tuple[Feature, Feature]
    suites: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.task} {self.features[0].name} + {self.features[1].name}"


@dataclass
class Outcome:
    """What came of a pair in a mode. `why`: the reason of a failure; empty where both suites are green."""

    why: str
    calls: int = 0
    characters: int = 0
    minutes: float = 0.0
    notes: list[str] = field(default_factory=list)


def run_git(where: Path, *words: str, data: bytes | None = None) -> bytes:
    """What git prints. Raises RuntimeError with its words."""
    done = subprocess.run(["git", "-C", str(where), *words], input=data, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError((done.stderr or done.stdout).decode(errors="replace").strip()[:300])
    return done.stdout


def run_team(where: Path, *words: str) -> None:
    """A command of the team, by the one who runs the benchmark."""
    command = [sys.executable, "-m", "graphbus_core.cli.main", "team", *words]
    subprocess.run(command, cwd=where, check=True, capture_output=True)


def read_pairs(bench: Path, count: int) -> list[Pair]:
    """The first pairs of CooperBench's click tasks, taken from each task in turn; nothing else of it is read."""
    listed = run_git(bench, "ls-tree", "-r", "--name-only", "HEAD", f"{TASKS}/").decode().split()
    by_task: list[list[Pair]] = []
    for task in sorted({path.split("/")[2] for path in listed}):
        root = f"{TASKS}/{task}"
        show = lambda path, root=root: run_git(bench, "show", f"HEAD:{root}/{path}")  # noqa: E731
        commit = re.search(r'BASE_COMMIT="(\w+)"', show("setup.sh").decode())
        suites = re.search(r"pytest ([^\n]+?) -v", show("runner.sh").decode())
        names = sorted({p.split("/")[3] for p in listed if p.startswith(f"{root}/feature")}, key=lambda n: int(n[7:]))
        features = [Feature(n, show(f"{n}/feature.md").decode(), show(f"{n}/tests.patch"), show(f"{n}/feature.patch"))
                    for n in names]  # fmt: skip
        if commit is None or suites is None:
            continue
        files = tuple(suites[1].split())
        twos = zip(features[::2], features[1::2], strict=False)
        by_task.append([Pair(task, commit[1], two, files) for two in twos])
    turns = [pairs[i] for i in range(max(map(len, by_task))) for pairs in by_task if i < len(pairs)]
    return turns[:count]


class Trial:
    """One pair in one mode: a fresh clone, its agents, and the judgement."""

    def __init__(self, pair: Pair, mode: str, click: Path, agent: str, minutes: float, folder: Path) -> None:
        self.pair, self.mode, self.agent, self.minutes = pair, mode, agent, minutes
        self.folder, self.root, self.bin = folder, folder / "click", folder / "bin"
        self.log, self.click = folder / "calls", click
        self.base = ""

    def run(self) -> Outcome:
        """Run the agents, and judge what is on `main`."""
        self._prepare()
        begun = time.monotonic()
        alone = self.mode == MODES[0]
        seats = [("ada", self.root)] if alone else [(name, self._seat(name)) for name in ("ada", "bob")]
        work = [self.pair.features] if alone else [(feature,) for feature in self.pair.features]
        with ThreadPoolExecutor(2) as pool:
            ends = list(pool.map(lambda one: self._run_agent(*one[0], one[1]), zip(seats, work, strict=True)))
        minutes = (time.monotonic() - begun) / 60
        why = next((end for end in ends if end), "") or self._gather(seats) or judge(self.root, self.base, self.pair)
        rows = [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []
        return Outcome(why, len(rows), sum(row[0] for row in rows), minutes)

    def _prepare(self) -> None:
        self.base = clone(self.click, self.pair.commit, self.root)
        self.bin.mkdir()
        if self.mode == "free messages":
            for word, says in (("say", True), ("read", False)):
                script = self.folder / f"{word}.py"
                script.write_text(MESSAGES.format(folder=str(self.folder), says=says))
                self._write_shim(word, [sys.executable, str(script)])
        if self.mode == "this table":
            self._write_shim("graphbus", [sys.executable, "-m", "graphbus_core.cli.main"])
            run_team(self.root, "start")

    def _write_shim(self, name: str, command: Sequence[str]) -> None:
        shim = self.bin / name
        shim.write_text(SHIM.format(python=sys.executable, command=list(command), log=str(self.log)))
        shim.chmod(0o755)

    def _seat(self, name: str) -> Path:
        where = self.folder / f"click-{name}"
        if self.mode == "this table":
            run_team(self.root, "join", name, "--folder", str(where))
        else:
            run_git(self.root, "worktree", "add", "-q", "-b", f"team/{name}", str(where), "main")
        return where

    def _run_agent(self, name: str, where: Path, features: Sequence[Feature]) -> str:
        """Why an agent failed as a process; empty where it ended by itself."""
        prompt = self._write_prompt(name, features)
        patches = self.folder / f"patches-{name}"
        patches.mkdir()
        for feature in features:
            (patches / feature.name).write_bytes(feature.patch)
        command = self.agent.replace("{prompt}", shlex.quote(prompt))
        path = f"{self.bin}{os.pathsep}{os.environ.get('PATH', '')}"
        environment = {**os.environ, "PATH": path, "TEAMWORK_SEAT": name, "TEAMWORK_MODE": self.mode}
        if self.agent.endswith(str(STAND_IN)):
            environment["TEAMWORK_PATCHES"] = str(patches)  # a coding agent is not told where they are
        try:
            done = subprocess.run(command, shell=True, cwd=where, env=environment, capture_output=True,
                                  timeout=self.minutes * 60, check=False)  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"{name} was not done after {self.minutes:g} minutes"
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        return f"{name} ended with {done.returncode}: {' '.join(last)[:200]}" if done.returncode else ""

    def _write_prompt(self, name: str, features: Sequence[Feature]) -> str:
        asked = "\n\n".join(feature.text for feature in features)
        text = f"Build what is asked below in this working tree of click, and commit it to its branch.\n\n{asked}\n\n"
        other = "bob" if name == "ada" else "ada"
        if self.mode != MODES[0]:
            text += f"You are {name}. At the same time {other} builds another feature in a working tree of its own. "
        if self.mode in MODES[1:3]:
            text += "At the end git merges both branches; what conflicts is lost. "
        if self.mode == "free messages":
            text += f"`say TEXT` sends words to {other}, `read` shows what {other} said. "
        if self.mode == "this table":
            text += f"Both land with `graphbus team land`, by these rules:\n\n{SKILL.read_text()}\n"
        return text

    def _gather(self, seats: Sequence[tuple[str, Path]]) -> str:
        """Bring the work to `main`; why that failed, empty where it did not."""
        for name, where in seats:
            if run_git(where, "status", "--porcelain", "--untracked-files=no").strip():
                return f"{name} left changes that are not committed"
        if self.mode in MODES[1:3]:
            for name, _ in seats:
                try:
                    run_git(self.root, "merge", "-q", "--no-edit", f"team/{name}")
                except RuntimeError:
                    files = run_git(self.root, "diff", "--name-only", "--diff-filter=U").decode().split()
                    return f"git cannot merge team/{name}: {', '.join(files) or 'no reason given'}"
        if self.mode == "this table":
            for name, _ in seats:
                if run_git(self.root, "rev-list", f"main..team/{name}").strip():
                    return f"{name} did not land"
        return "" if run_git(self.root, "rev-list", f"{self.base}..main").strip() else "nothing was committed"


def clone(click: Path, commit: str, to: Path) -> str:
    """A repository of one branch `main` at a commit; gives that commit."""
    subprocess.run(["git", "clone", "-q", "--no-checkout", str(click), str(to)], check=True, capture_output=True)
    for words in (("checkout", "-q", "-B", "main", commit), ("remote", "remove", "origin"),
                  ("config", "user.name", "agent"), ("config", "user.email", "agent@example.org")):  # fmt: skip
        run_git(to, *words)
    return run_git(to, "rev-parse", "HEAD").decode().strip()


def judge(root: Path, base: str, pair: Pair) -> str:
    """Why the tests of both features are not green on `main`; empty where they are."""
    for feature in pair.features:
        with tempfile.TemporaryDirectory(prefix="graphbus-judge-") as folder:
            tree = Path(folder) / "tree"
            run_git(root, "worktree", "add", "-q", "--detach", str(tree), "main")
            try:
                if why := _run_suites(tree, base, feature, pair.suites):
                    return f"{feature.name}: {why}"
            finally:
                run_git(root, "worktree", "remove", "--force", str(tree))
    return ""


def _run_suites(tree: Path, base: str, feature: Feature, suites: Sequence[str]) -> str:
    touched = re.findall(rb"^\+\+\+ b/(\S+)", feature.tests, re.MULTILINE)
    for path in map(bytes.decode, touched):  # the judge's tests, whatever an agent wrote there
        if run_git(tree, "ls-tree", base, "--", path).strip():
            run_git(tree, "checkout", "-q", base, "--", path)
        else:
            (tree / path).unlink(missing_ok=True)
    run_git(tree, "apply", "--ignore-whitespace", "-", data=feature.tests)
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    words = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
    words += ["-W", "ignore::DeprecationWarning", *suites]
    try:
        done = subprocess.run(words, cwd=tree, env=environment, capture_output=True, timeout=TEST_S, check=False)
    except subprocess.TimeoutExpired:
        return f"its tests took more than {TEST_S:g} s"
    said = done.stdout.decode(errors="replace").strip().splitlines()
    failed = [line for line in said if line.startswith(("FAILED", "ERROR"))]
    return (failed or said or ["no test ran"])[-1][:200] if done.returncode else ""


def find_unsound(pair: Pair, click: Path) -> str:
    """Why a pair cannot be judged here: a published patch fails the tests of its own feature; empty where it can."""
    for feature in pair.features:
        with tempfile.TemporaryDirectory(prefix="graphbus-sound-") as folder:
            root = Path(folder) / "click"
            base = clone(click, pair.commit, root)
            run_git(root, "apply", "--ignore-whitespace", "-", data=feature.patch)
            run_git(root, "add", "-A")
            run_git(root, "commit", "-q", "-m", feature.name)
            alone = Pair(pair.task, pair.commit, (feature, feature), pair.suites)
            if why := judge(root, base, alone):
                return f"its published patch is not green on this machine, {why}"
    return ""


def print_agents(agent: str, data: Path, count: int, minutes: float, modes: Sequence[str]) -> None:
    """Run every mode on so many pairs; print success, calls, characters, minutes, and why each failure failed."""
    bench, click = data / "CooperBench", data / "click"
    if not bench.exists() or not click.exists():
        print(f"not run: {data} needs clones of cooperbench/CooperBench and pallets/click, as CooperBench and click")
        return
    title = f"agent: {agent}"
    if agent.endswith(str(STAND_IN)):
        title = "STAND-IN, no coding agent: a script that applies the published patches. It shows that the modes work."
    print(title, flush=True)
    sound = []
    for pair in read_pairs(bench, count):
        why = find_unsound(pair, click)
        print(f"  {pair.name}: {'left out, ' + why if why else 'sound'}", flush=True)
        sound += [] if why else [pair]
    failures: list[str] = []
    print(f"\n{'':<15}{'pairs':>6}{'success':>9}{'calls':>7}{'characters':>12}{'minutes':>9}")
    for mode in modes:
        outcomes = []
        for pair in sound:
            with tempfile.TemporaryDirectory(prefix="graphbus-teamwork-") as folder:
                outcomes.append(Trial(pair, mode, click, agent, minutes, Path(folder)).run())
            if outcomes[-1].why:
                failures.append(f"  {mode}, {pair.name}: {outcomes[-1].why}")
        good = sum(not outcome.why for outcome in outcomes)
        totals = [sum(getattr(o, name) for o in outcomes) for name in ("calls", "characters", "minutes")]
        print(f"{mode:<15}{len(outcomes):>6}{good:>9}{totals[0]:>7}{totals[1]:>12,}{totals[2]:>9.1f}", flush=True)
    print("\nwhy each failure failed:", *(failures or ["  none failed"]), sep="\n")
    print(f"\n{len(sound)} pairs. No figure of so few is a rate.")
