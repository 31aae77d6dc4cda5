"""Every small change that mutmut can make to a room, and whether a test goes red: `make mutations ROOM=contracts`.

    python -m tests.mutations contracts|commit [--only GLOB …] [--minutes 30] [--keep]

`tests.mutants` takes out the rules we know of by hand, and all of those must be caught. This one knows no rule: it
changes operators, numbers, texts and calls one by one, in a copy of the repository, and runs the tests of the room on
each. The verdict is a table, a line a file: killed, survived, not covered by any of these tests, not reached in time.
What survived follows with its change: some are harmless (a word of a message), some are a test that is missing.
`--keep` writes that to `tests/survivors.md`, in place of what stands there of the same files.

Hours for a whole room; `--only` takes a part of it.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SURVIVORS = ROOT / "tests" / "survivors.md"
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
    parser.add_argument("--only", nargs="*", help="Files of the room, as globs on their paths.")
    parser.add_argument("--tests", nargs="*", help="Other tests than those of the room.")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", action="store_true", help="Write the survivors to tests/survivors.md.")
    args = parser.parse_args(argv)
    room = ROOMS[args.room]
    with tempfile.TemporaryDirectory(prefix="graphbus-mutations-") as made:
        folder = Path(made)
        _copy(folder)
        _configure(folder, tuple(args.only or room.files), tuple(args.tests or room.tests))
        ended = _run(folder, args.minutes, args.jobs)
        verdicts = _verdicts(_results(folder))
        if not any(one.reached for one in verdicts):
            print((folder / "log").read_text("utf-8", "replace")[-2000:])
            print("No mutant was tried: see above.")
            return 2
        survivors = {one.file: [_change(folder, name) for name in one.survived] for one in verdicts}
    print(_table(verdicts), *_listed(survivors), sep="\n")
    if not ended:
        print(
            f"The {args.minutes:g} minutes were over before the end: give it more --minutes, or fewer files (--only)."
        )
    if args.keep:
        _keep(verdicts, survivors)
    return 1 if any(one.survived for one in verdicts) else 0


@dataclass
class Verdict:
    """What became of the mutants of one file."""

    file: str
    killed: int = 0
    survived: list[str] = field(default_factory=list)
    not_covered: int = 0
    not_reached: int = 0

    @property
    def reached(self) -> int:
        """How many were tried or need not be."""
        return self.killed + len(self.survived) + self.not_covered


def _verdicts(results: Mapping[str, str]) -> list[Verdict]:
    found: dict[str, Verdict] = {}
    for name, state in results.items():
        module = name.rpartition(".")[0]
        path = module.replace(".", "/")
        file = f"{path}.py" if (ROOT / f"{path}.py").is_file() else f"{path}/__init__.py"
        one = found.setdefault(file, Verdict(file))
        if state == "survived":
            one.survived.append(name)
        elif state == "no tests":
            one.not_covered += 1
        elif state == "not checked":
            one.not_reached += 1
        else:  # killed, or it ran into an endless loop, a crash, a type error: somebody would have seen it
            one.killed += 1
    return sorted(found.values(), key=lambda one: one.file)


def _table(verdicts: Sequence[Verdict]) -> str:
    """For people, and as Markdown."""
    rows = ["| file | killed | survived | not covered | not reached |", "|---|--:|--:|--:|--:|"]
    for one in verdicts:
        rows.append(f"| {one.file} | {one.killed} | {len(one.survived)} | {one.not_covered} | {one.not_reached} |")
    return "\n".join(rows)


def _change(folder: Path, name: str) -> str:
    """`function: - line  + line` of one mutant. Its number alone would mean another one after the next edit."""
    function = (
        re.sub(r"__mutmut_\d+$", "", name.rpartition(".")[2]).removeprefix("x_").replace("xǁ", "").replace("ǁ", ".")
    )
    lines = [line for line in _mutmut(folder, "show", name).splitlines() if re.match(r"[-+](?![-+])", line)]
    return f"{function}: " + "  ".join(f"{line[0]} {line[1:].strip()}" for line in lines)


def _listed(survivors: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for file, changes in survivors.items():
        if changes:
            yield f"\n## {file}\n"
            yield from (f"- `{change}`" for change in changes)


def _keep(verdicts: Sequence[Verdict], survivors: Mapping[str, Sequence[str]]) -> None:
    """Put what was found in place of what was kept of the same files. What was never measured stays as it is."""
    text = SURVIVORS.read_text("utf-8") if SURVIVORS.exists() else ""
    head, rows, parts = _kept(text)
    for one, row in zip(verdicts, _table(verdicts).splitlines()[2:], strict=True):
        rows[one.file] = row
        parts[one.file] = [f"- `{change}`" for change in survivors[one.file]]
    table = ["| file | killed | survived | not covered | not reached |", "|---|--:|--:|--:|--:|"]
    table += [rows[file] for file in sorted(rows)]
    lists = [f"\n## {file}\n\n" + "\n".join(parts[file]) for file in sorted(parts) if parts[file]]
    SURVIVORS.write_text("\n".join([head, *table, *lists]).rstrip() + "\n", "utf-8")


HEAD = """# Mutants that no test kills

Written by `python -m tests.mutations ROOM --keep` (`make mutations`). Each line is a small change of the code that the
tests of its room do not notice. Most change the words of a message, or a bound that no test reaches. One that changes a
verdict is a missing test: write it, and run the file again.
"""


def _kept(text: str) -> tuple[str, dict[str, str], dict[str, list[str]]]:
    rows = {line.split("|")[1].strip(): line for line in text.splitlines() if line.startswith("| graphbus_core")}
    parts: dict[str, list[str]] = {}
    for part in text.split("\n## ")[1:]:
        file, _, rest = part.partition("\n")
        parts[file.strip()] = [line for line in rest.splitlines() if line.startswith("- ")]
    return HEAD, rows, parts


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
