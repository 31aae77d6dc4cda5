"""Every small change that mutmut can make to a room, and whether a test goes red: `make mutations ROOM=contracts`.

    python -m tests.mutations contracts|commit [--only GLOB] [--minutes 30] [--show 10]

`tests.mutants` takes out the rules we know of by hand, and all of those must be caught. This one knows no rule: it
changes operators, numbers, texts and calls one by one, in a copy of the repository, and runs the tests of the room on
each. What survives is printed, a name a line: some are harmless (a word of a message), some are a test that is missing.
Hours for a whole room; `--only` takes a part of it, and what was not reached in time is counted as such.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TAKEN = ("graphbus_core", "tests", "examples", "skill", "benchmarks", "pyproject.toml", "README.md", "LICENSE", "docs")


@dataclass(frozen=True)
class Room:
    """What is changed, and the tests that must notice."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


ROOMS = {
    "contracts": Room(("graphbus_core/contracts/*",), ("tests/contracts",)),
    "commit": Room(
        ("graphbus_core/build/commit/*",),
        ("tests/build/commit/test_transaction.py", "tests/build/commit/test_settling.py", "tests/build/commit"),
    ),
}


def main(argv: list[str]) -> int:
    """Change, test, print what survived. 0 where everything that was reached was caught, else 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", choices=ROOMS)
    parser.add_argument("--only", help="Files of the room, as a glob on their paths.")
    parser.add_argument("--tests", nargs="*", help="Other tests than those of the room.")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--show", type=int, default=10, help="Survivors whose change is shown.")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args(argv)
    room = ROOMS[args.room]
    with tempfile.TemporaryDirectory(prefix="graphbus-mutations-") as made:
        folder = Path(made)
        _copy(folder)
        _configure(folder, (args.only,) if args.only else room.files, tuple(args.tests or room.tests))
        ended = _run(folder, args.minutes, args.jobs)
        found = _results(folder)
        if not set(found.values()) - {"not checked"}:
            print((folder / "log").read_text("utf-8", "replace")[-2000:])
            print("No mutant was tried: see above.")
            return 2
        counts = Counter(found.values())
        survived = [name for name, state in found.items() if state == "survived"]
        print("\n".join(survived))
        for name in survived[: args.show]:
            print(_mutmut(folder, "show", name))
        said = ", ".join(f"{number} {state}" for state, number in counts.most_common())
        print(f"{args.room}: {len(found)} mutants: {said}.{'' if ended else ' The time was over before the end.'}")
        return 1 if survived else 0


def _copy(folder: Path) -> None:
    for name in TAKEN:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        elif source.exists():
            shutil.copy(source, folder / name)


def _configure(folder: Path, files: tuple[str, ...], tests: tuple[str, ...]) -> None:
    texts = {"source_paths": ["graphbus_core"], "only_mutate": files, "pytest_add_cli_args_test_selection": tests}
    texts["also_copy"] = [name for name in TAKEN if name not in ("graphbus_core", "tests")]
    lines = "".join(f"{key} = {list(value)!r}\n" for key, value in texts.items())
    settings = folder / "pyproject.toml"
    settings.write_text(settings.read_text("utf-8") + f"\n[tool.mutmut]\nuse_git_change_detection = false\n{lines}")


def _run(folder: Path, minutes: float, jobs: int) -> bool:
    """Try the mutants; whether all were tried. What mutmut draws goes to a file."""
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(jobs)]
    with (folder / "log").open("w") as log:
        try:
            subprocess.run(command, cwd=folder, stdout=log, stderr=log, timeout=60 * minutes, check=False)
        except subprocess.TimeoutExpired:
            return False
    return True


def _results(folder: Path) -> dict[str, str]:
    rows = (line.strip().rpartition(": ") for line in _mutmut(folder, "results", "--all", "true").splitlines())
    return {name: state for name, _, state in rows if name}


def _mutmut(folder: Path, *words: str) -> str:
    command = [sys.executable, "-m", "mutmut", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
