"""Landings that are killed at a random step, and what a landing of a large repository costs. Repositories made here.

A step is whatever the interpreter tells its audit hook of: a file opened, renamed or removed, a process started. The
child is forked from a warm parent and kills itself with SIGKILL; the next landing's recovery runs, and then branch,
index and files must be as before or as after.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from graphbus_core.commit.landing.advance import open_state, recover
from graphbus_core.commit.landing.land import Lander, LandingRequest
from graphbus_core.commit.landing.repository import Repository
from graphbus_core.services.landing import find_contract_faults

STEPS = ("open", "os.rename", "os.remove", "os.mkdir", "subprocess.Popen")


def run(root: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True, text=True).stdout.strip()


def make_repository(root: Path, modules: int) -> None:
    """Modules that import each other, and two branches that changed the first, each in its own function."""
    run(root, "init", "-q", "-b", "main")
    run(root, "config", "user.name", "benchmark")
    run(root, "config", "user.email", "benchmark@example.org")
    (root / "shop").mkdir()
    for i in range(modules):
        lines = [f"from shop import m{i - 1}\n\n"] if i else []
        lines += [f"\ndef f{k}(x: int) -> int:\n    y = x + {k}\n    return y * {i + 1}\n\n" for k in range(10)]
        (root / "shop" / f"m{i}.py").write_text("".join(lines))
    commit(root, "base")
    for name, old, new in (("fee", "x + 1\n", "x + 11\n"), ("tax", "x + 7\n", "x + 17\n")):
        run(root, "switch", "-q", "-c", name, "main")
        file = root / "shop" / "m0.py"
        file.write_text(file.read_text().replace(old, new))
        (root / "shop" / f"{name}.py").write_text("RATE = 1\n")
        commit(root, name)
    run(root, "switch", "-q", "fee")


def commit(root: Path, message: str) -> None:
    run(root, "add", "-A")
    run(root, "commit", "-q", "-m", message)


def read_state(root: Path) -> tuple[str, str, str]:
    """The tree of the branch, what differs from it, and what stands in the file that changes."""
    return (
        run(root, "rev-parse", "HEAD^{tree}"),
        run(root, "status", "--porcelain"),
        (root / "shop" / "m0.py").read_text(),
    )


def print_kills(count: int, seed: int) -> None:
    """Kill so many landings, and say how many were torn."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="landing-kills-") as name:
        root = Path(name)
        make_repository(root, 5)
        start = run(root, "rev-parse", "HEAD")
        before = read_state(root)
        steps = land_in_child(root, None)
        after = read_state(root)
        ends: Counter[str] = Counter()
        for _ in range(count):
            run(root, "reset", "-q", "--hard", start)
            land_in_child(root, chance.randrange(1, steps + 1))
            recover(Repository(root))
            state = read_state(root)
            ends["as before" if state == before else "as after" if state == after else "TORN"] += 1
            (root / ".git" / "index.lock").unlink(missing_ok=True)
    print(f"{count} kills at {steps} steps (seed {seed}): {dict(ends)}, {ends['TORN']} torn")


def land_in_child(root: Path, kill_at: int | None) -> int:
    """Land in a fork that kills itself at a step; gives the number of steps where it does not."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        count = 0

        def count_step(event: str, _: object) -> None:
            nonlocal count
            if event in STEPS:
                count += 1
                if count == kill_at:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count_step)
        Lander(Repository(root), LandingRequest(("tax",), verify="true")).land_all()
        os.write(writing, str(count).encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with open(reading) as file:
        return int(file.read() or 0)


def print_cost(modules: int) -> None:
    """What a landing costs in a repository of so many files, beside its test runs: the first, and the next ones."""
    with tempfile.TemporaryDirectory(prefix="landing-cost-") as name:
        root = Path(name)
        make_repository(root, modules)
        add_use(root)
        for about in ("cold", "warm", "warm"):
            begun = measure_processor()
            request = LandingRequest(("use",), verify="auto", dry_run=True)
            landing = Lander(Repository(root), request, inspect=find_contract_faults).land_all()[0]
            own, children = (now - old for now, old in zip(measure_processor(), begun, strict=True))
            end = f"{landing.status} {landing.why}, after {landing.runs} runs of tests"
            print(f"{about}, {modules} files: {own:.2f} s of processor, {children:.2f} s in git and types; {end}")
        print(f"kept in {len(list((open_state(Repository(root)) / 'cache').iterdir()))} entries")


def add_use(root: Path) -> None:
    """Tests, and two branches of which one calls what the other writes otherwise."""
    run(root, "switch", "-q", "main")
    (root / "tests").mkdir()
    (root / "tests" / "test_m0.py").write_text("from shop import m0\n\n\ndef test_f1():\n    assert m0.f1(2) == 3\n")
    commit(root, "tests")
    run(root, "switch", "-q", "-c", "use")
    code = "from shop import m0\n\n\ndef late(days):\n    return m0.f1(days) * 2 if days > 0 else 0\n"
    (root / "shop" / "late.py").write_text(code)
    test = "from shop.late import late\n\n\ndef test_late():\n    assert (late(2), late(-1)) == (6, 0)\n"
    (root / "tests" / "test_late.py").write_text(test)
    commit(root, "use")
    run(root, "switch", "-q", "-c", "otherwise", "main")
    file = root / "shop" / "m0.py"
    file.write_text(file.read_text().replace("y = x + 1\n", "y = 1 + x\n"))
    commit(root, "otherwise")


def measure_processor() -> tuple[float, float]:
    """Seconds of processor of this process, and of what it ran."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime, children.ru_utime + children.ru_stime
