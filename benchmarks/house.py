"""The house before and after: the whole table of docs/architecture.md, of this checkout and of version 0.2.0.

    python benchmarks/house.py                      # counts, times and sizes; two to four minutes
    python benchmarks/house.py --counts             # only what is read from source; twenty seconds
    python benchmarks/house.py --before b79c999     # beside which commit; the last of 0.2.0 is the default
    python benchmarks/house.py --write              # put the table into docs/architecture.md

Counts are read from source (tests/structure). Times and sizes are those of what `pip install` gives: each edition is
installed in an environment of its own. The two editions are run in turn, so that what else the machine does falls on
both; a time is the median of the processor time of nine runs (user, system, children). Rows that fall short are named.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.structure.__main__ import measure  # noqa: E402
from tests.structure.house import House  # noqa: E402

PAGE = ROOT / "docs" / "architecture.md"
START, END = "<!-- measured: house -->", "<!-- end: house -->"
SECOND_EDITION = "b79c999"
RUNS = int(os.environ.get("GRAPHBUS_HOUSE_RUNS", "9"))
# A word of the goal column and what it asks of (before, now).
Goal = Callable[[float, float], bool]
ANY: tuple[str, Goal] = ("", lambda before, now: True)
FEWER: tuple[str, Goal] = ("fewer", lambda before, now: now < before)
# Two medians of nine differ by some hundredths on a quiet machine: less than a tenth is not a difference.
NO_SLOWER: tuple[str, Goal] = ("no slower", lambda before, now: now <= 1.1 * before)


def at_most(bound: float) -> tuple[str, Goal]:
    """The goal of a figure that may not be above `bound`."""
    return f"{bound:,}", lambda before, now: now <= bound


def at_least(bound: float, shown: str) -> tuple[str, Goal]:
    """The goal of a figure that may not be below `bound`."""
    return shown, lambda before, now: now >= bound


GOALS: dict[str, tuple[str, Goal]] = {
    "files": at_most(410),
    "folders": at_most(45),
    "mean lines a file": ANY,
    "most lines in a file": at_most(1000),
    "files with one importer": FEWER,
    "lone participles, percent of functions": at_most(1),
    "verb first, percent of functions": at_least(40, "40"),
    "empty locals, percent": at_most(1.5),
    "import lines, percent": FEWER,
    "circles of files that load each other": at_most(0),
    "functions": ANY,
    "mean complexity (radon)": ANY,
    "functions above 20 (radon)": at_most(10),
    "functions above 15 (ruff)": at_most(0),
    "comments a line": at_least(0.04, ".04"),
    "lines of code, without comments and docstrings": FEWER,
    "files imported by `validate`": at_most(60),
    "lines imported by `validate`": FEWER,
    "files imported by publish to dead letter": at_most(20),
    "lines imported by publish to dead letter": FEWER,
    "files imported by a negotiated build": at_most(140),
    "lines imported by a negotiated build": FEWER,
    "`import graphbus_core`": NO_SLOWER,
    "`graphbus --help`": NO_SLOWER,
    "`graphbus validate` of the news pipeline": NO_SLOWER,
    "`graphbus build` of `hello`, nothing built before": NO_SLOWER,
    "`graphbus build` of `hello`, built before": NO_SLOWER,
    "dependencies that `pip install` brings": ANY,
    "the package itself": ANY,
}
# Each use of the package, run in a process of its own on a copy of the example; then what it imported is counted.
LOADS = {
    "`validate`": "from graphbus_core.cli.main import main; main(['validate', 'agents'])",
    "publish to dead letter": (
        "import logging; logging.disable(50)\n"
        "from graphbus_core.runtime.message_bus import MessageBus\n"
        "bus = MessageBus()\n"
        "def fail(payload): raise ValueError\n"
        "bus.subscribe('/A', fail); bus.publish('/A', {'n': 1}, source='x')\n"
        "assert len(list(bus.dead_letters)) == 1"
    ),
    "a negotiated build": "from graphbus_core.cli.main import main; main(['build', 'agents', '--enable-agents'])",
}
COUNT_LOADED = """
modules = [module for name, module in list(sys.modules.items()) if name.split('.')[0] == 'graphbus_core']
files = {module.__file__ for module in modules if getattr(module, '__file__', None)}
print(len(files), sum(open(file, encoding='utf-8').read().count(chr(10)) for file in files), file=out)
"""


def count_loads(root: Path) -> dict[str, float]:
    """How many files and lines of the package each use in LOADS imports, packages' own `__init__` files included."""
    figures: dict[str, float] = {}
    for name, code in LOADS.items():
        with tempfile.TemporaryDirectory(prefix="graphbus-house-") as folder:
            skipped = shutil.ignore_patterns(".graphbus", "__pycache__")
            shutil.copytree(ROOT / "examples" / "news_pipeline", Path(folder, "p"), ignore=skipped)
            program = f"import sys, os\nout = os.fdopen(os.dup(1), 'w')\nos.dup2(2, 1)\n{code}\n{COUNT_LOADED}"
            environment = {**os.environ, "PYTHONPATH": str(root)}
            done = subprocess.run(
                [sys.executable, "-c", program],
                cwd=Path(folder, "p"),
                env=environment,
                capture_output=True,
                text=True,
                timeout=300,
            )
            if done.returncode:
                raise SystemExit(f"{name} ended with {done.returncode}: {done.stderr.strip()[-600:]}")
            files, lines = done.stdout.split()
        figures |= {f"files imported by {name}": float(files), f"lines imported by {name}": float(lines)}
    return figures


def counts(root: Path) -> dict[str, float]:
    """Every figure that is read from the source below `root`."""
    house = House(root)
    figures = measure(house, with_times=False)
    found = {name: float(value) for name, value in figures.items() if isinstance(value, int | float)}
    same = (
        "files",
        "mean lines a file",
        "most lines in a file",
        "files with one importer",
        "lone participles, percent of functions",
        "verb first, percent of functions",
        "empty locals, percent",
        "import lines, percent",
        "functions",
        "mean complexity (radon)",
        "functions above 20 (radon)",
        "comments a line",
    )
    return {name: found[name] for name in same} | {
        "folders": found["rooms"],
        "circles of files that load each other": found["circles of loads"],
        "functions above 15 (ruff)": len(house.complexity()),
        "lines of code, without comments and docstrings": found["lines of code"],
        **count_loads(root),
    }


def installed(source: Path, environment: Path) -> Path:
    """An environment that holds the package of `source` and what it needs, as a user's `pip install` leaves it."""
    python = environment / "bin" / "python"
    if not python.exists():
        run([sys.executable, "-m", "venv", str(environment)])
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        run([*pip, "-c", str(source / "constraints.txt"), str(source)])
    return python


def sizes(python: Path) -> dict[str, float]:
    """Bytes on the disk: the package, and all else but pip, which a venv brings. Caches of bytecode are left out."""
    (site,) = (python.parent.parent / "lib").glob("python3*/site-packages")
    found = {"package": 0, "others": 0}
    for path in site.rglob("*"):
        top = path.relative_to(site).parts[0]
        # Bytecode is left out: whether pip writes it is a setting of the machine.
        if path.is_file() and "__pycache__" not in path.parts and not top.startswith(("pip", "setuptools")):
            found["package" if top.startswith("graphbus") else "others"] += path.stat().st_size
    return {"dependencies that `pip install` brings": found["others"], "the package itself": found["package"]}


def times(pythons: dict[str, Path], work: Path) -> dict[str, dict[str, float]]:
    """Milliseconds of processor time of each command and edition: the median of RUNS, the editions in turn."""
    taken: dict[str, dict[str, list[float]]] = {name: {} for name in pythons}
    for number in range(RUNS):
        for name, python in pythons.items():
            for label, cost in once(python, work / f"{name}-{number}").items():
                taken[name].setdefault(label, []).append(cost)
    return {name: {label: statistics.median(costs) for label, costs in all_.items()} for name, all_ in taken.items()}


def once(python: Path, work: Path) -> dict[str, float]:
    """One run of everything that is timed, on a copy of the examples, so that no run meets what another left."""
    graphbus = str(python.parent / "graphbus")
    for example in ("hello", "news_pipeline"):
        left = shutil.ignore_patterns(".graphbus", "__pycache__")
        shutil.copytree(ROOT / "examples" / example, work / example, ignore=left)
    nothing = processor_ms([str(python), "-c", "pass"], work)
    hello = [graphbus, "build", sources(work / "hello")]
    found = {
        "`import graphbus_core`": processor_ms([str(python), "-c", "import graphbus_core"], work) - nothing,
        "`graphbus --help`": processor_ms([graphbus, "--help"], work),
        # The pipeline has a mismatch on purpose, so a right answer exits 1.
        "`graphbus validate` of the news pipeline": processor_ms(
            [graphbus, "validate", sources(work / "news_pipeline")], work, (0, 1)
        ),
        "`graphbus build` of `hello`, nothing built before": processor_ms(hello, work),
        "`graphbus build` of `hello`, built before": processor_ms(hello, work),
    }
    shutil.rmtree(work)
    return found


def sources(project: Path) -> str:
    """The folder of an example that is built."""
    return str(project / "agents" if (project / "agents").is_dir() else project)


def processor_ms(command: list[str], work: Path, allowed: tuple[int, ...] = (0,)) -> float:
    """What one command takes of the processor, its children counted."""
    # Not `os.times`: it counts in hundredths of a second, and `--help` takes three of them.
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=120)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in allowed:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-600:]}")
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def run(command: list[str]) -> None:
    """Run to a good end, or stop with what it said."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-600:]}")


def shown(name: str, value: float | None) -> str:
    """A figure as the table has it."""
    if value is None:
        return "not measured"
    if name == "comments a line":
        return f"{value:.4f}".lstrip("0")
    if name.startswith("mean complexity") or name.endswith(("percent", "percent of functions")):
        return f"{value:.2f}"
    if name.startswith(("dependencies", "the package")):
        return f"{value / 1e6:.1f} MB"
    return f"{value:.0f} ms" if name.startswith("`") else f"{value:,.0f}"


def table(before: dict[str, float], now: dict[str, float]) -> tuple[str, list[str]]:
    """The table in Markdown, and the rows that fall short."""
    rows, short = ["| figure | 0.2.0 | now | goal |", "|---|--:|--:|--:|"], []
    for name, (goal, holds) in GOALS.items():
        rows.append(f"| {name} | {shown(name, before.get(name))} | {shown(name, now.get(name))} | {goal} |")
        if name in now and name in before and not holds(before[name], now[name]):
            short.append(name)
    return "\n".join(rows), short


def main() -> int:
    """Measure both editions, print the table and the rows that fall short, and write it where that is asked."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--before", default=SECOND_EDITION, help="the older commit (default: the last of 0.2.0)")
    asked.add_argument("--counts", action="store_true", help="leave out times and sizes")
    asked.add_argument("--write", action="store_true", help="put the table into docs/architecture.md")
    asked.add_argument(
        "--environments", type=Path, help="keep the two environments here, and use them if they are there"
    )
    given = asked.parse_args()
    if given.write and given.counts:
        asked.error("--write wants the whole table: leave --counts out.")
    with tempfile.TemporaryDirectory(prefix="graphbus-house-") as folder:
        work = Path(folder)
        old = work / "before"
        old.mkdir()
        # `git archive` and not `git worktree`: it leaves nothing in the repository, even if this is killed.
        archive = work / "before.tar"
        run(["git", "archive", "--output", str(archive), given.before])
        run(["tar", "-xf", str(archive), "-C", str(old)])
        figures = {"before": counts(old), "now": counts(ROOT)}
        if not given.counts:
            kept = given.environments or work
            pythons = {
                "before": installed(old, kept / "environment-before"),
                "now": installed(ROOT, kept / "environment-now"),
            }
            for name, measured in times(pythons, work).items():
                figures[name] |= measured | sizes(pythons[name])
    text, short = table(figures["before"], figures["now"])
    rows = "row falls" if len(short) == 1 else "rows fall"
    said = f"{len(short)} {rows} short: {'; '.join(short)}." if short else "No row falls short."
    print(f"{text}\n\n{said}")
    if given.write:
        page = PAGE.read_text("utf-8")
        head, tail = page.partition(START)[0], page.partition(END)[2]
        PAGE.write_text(f"{head}{START}\n{text}\n\n{said}\n{END}{tail}", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
