"""What the gates of a further commit cost, by the size of the project: processor seconds, the sandbox's included.

    python benchmarks/gates.py [--files 100 300 1000] [--commits 5] [--profile]

A chain of agents, one a file, each fed by the one before; beside them an entry point that calls the first, and a test.
Each commit adds an optional field to another agent's output and input. The first pays for the first look at the
project; the figure is the median of those after it.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from _scripted_table import adopting_orphans, processor_s
from build import AGENT

from graphbus_core.analysis.scan import scan
from graphbus_core.commit import CommitEngine
from graphbus_core.config import BuildConfig, SafetyConfig
from graphbus_core.testing import write_files

GOAL_S = 0.35


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, nargs="+", default=[100, 300, 1000])
    parser.add_argument("--commits", type=int, default=5, help="after the first")
    parser.add_argument("--profile", action="store_true", help="print where this process spends a further commit")
    given = parser.parse_args()
    print(f"{'files':>6}{'first':>9}{'further':>9}{'of it here':>12}{'wall':>8}   goal {GOAL_S} s of processor")
    ok = True
    for files in given.files:
        first, further, here, wall = measure(files, given.commits, given.profile)
        ok &= further <= GOAL_S
        verdict = "yes" if further <= GOAL_S else "NO"
        print(f"{files:6}{first:9.2f}{further:9.2f}{here:12.2f}{wall:8.2f}   {verdict}", flush=True)
    return 0 if ok else 1


def measure(files: int, commits: int, profile: bool) -> tuple[float, float, float, float]:
    """Seconds of the first commit; and of a further one: all, of this process alone, and by the clock."""
    with tempfile.TemporaryDirectory() as folder, adopting_orphans():
        root = Path(folder).resolve()
        write_files(root, write_chain(files))
        config = BuildConfig(
            str(root / "agents"),
            output_dir=str(root / ".graphbus"),
            safety_config=SafetyConfig(max_total_file_changes=1_000),
        )
        costs: list[tuple[float, float, float]] = []
        profiler = cProfile.Profile()
        with CommitEngine(scan(str(root / "agents")), config) as engine:
            for number in range(commits + 1):
                at = 1 + number * (files - 2) // (commits + 1)
                if profile and number:
                    profiler.enable()
                costs.append(commit(engine, number, at))
                profiler.disable()
        if profile:
            pstats.Stats(profiler).sort_stats("cumulative").print_stats(45)
    middle = [statistics.median(column) for column in zip(*costs[1:], strict=True)]
    return costs[0][0], middle[0], middle[1], middle[2]


def commit(engine: CommitEngine, number: int, at: int) -> tuple[float, float, float]:
    """One commit on one agent: processor seconds of all, of this process, and seconds by the clock."""
    field = {
        "node": f"Step{at:05}",
        "method": "take",
        "field": "note",
        "type": "str",
        "optional": True,
        "default": "''",
    }
    diff = [{"op": "add_field", "side": side, **field} for side in ("input", "output")]
    about: dict[str, Any] = {"proposal_id": f"p-{number:04}", "proposer": "", "round": 1, "base": {}, "diff": diff}
    used, own, began = processor_s(), time.process_time(), time.perf_counter()
    receipt = engine.apply("commit", about)
    if receipt["status"] != "committed":
        raise SystemExit(f"commit {number} did not land: {receipt['gate']}: {receipt['reason']}")
    return processor_s() - used, time.process_time() - own, time.perf_counter() - began


def write_chain(files: int) -> dict[str, str]:
    """The project: path -> text."""
    texts = {"agents/__init__.py": "", "pyproject.toml": '[project]\nname = "chain"\nversion = "0"\n'}
    for n in range(files):
        before = f"Step{n - 1:05}"
        texts[f"agents/step_{n:05}.py"] = AGENT.format(
            n=n,
            before=n - 1,
            class_depends=f'@depends_on("{before}")\n' if n else "",
            depends=f'@depends_on("{before}.take")\n    ' if n else "",
        )
    start = "from agents.step_00000 import Step00000\n"
    texts["main.py"] = f'{start}\nprint(Step00000().take("a", [], 1.0, 0))\n'
    texts["tests/test_first.py"] = (
        f'{start}\n\ndef test_it():\n    assert Step00000().take("a", [], 1.0, 0)["step"] == 1\n'
    )
    return texts


if __name__ == "__main__":
    sys.exit(main())
