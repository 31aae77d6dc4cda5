"""Plans of strangers on public projects: who is named as touched or dependent, held against what really is."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

from graphbus_core.services import team


def print_plans(cases: Path, data: Path) -> None:
    """Run every case of a folder; print precision and recall of uses, breaks and overlaps, and what differs.

    `data`: where source distributions lie; what is missing there is downloaded into it.
    """
    counts: Counter[str] = Counter()
    files = sorted(cases.glob("*.json"))
    if not files:
        print(f"not run: there is no case in {cases}")
        return
    for file in files:
        case = json.loads(file.read_text())
        with tempfile.TemporaryDirectory(prefix="graphbus-plans-") as folder:
            root = unpack_project(find_archive(case["project"], data), Path(folder))
            found = run_case(case, root)
        for what in ("uses", "breaks", "overlaps"):
            expected = list_expected(case, what)
            missed, extra = expected - found[what], found[what] - expected
            counts[f"{what} right"] += len(expected & found[what])
            counts[f"{what} missed"] += len(missed)
            counts[f"{what} extra"] += len(extra)
            for name, some in (("missed", missed), ("extra", extra)):
                for entry in sorted(some):
                    print(f"{file.stem}: {what} {name}: {' '.join(entry)}", flush=True)
    print(f"{len(files)} cases")
    for what in ("uses", "breaks", "overlaps"):
        right, missed, extra = (counts[f"{what} {word}"] for word in ("right", "missed", "extra"))
        print(f"  {what:<9} precision {_share(right, right + extra)}  recall {_share(right, right + missed)}"
              f"  ({right} right, {missed} missed, {extra} extra)")  # fmt: skip


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "  -  "


def list_expected(case: dict[str, Any], what: str) -> set[tuple[str, ...]]:
    """The truth of a case, as tuples."""
    if what == "overlaps":
        return {(*sorted(entry[:2]), entry[2]) for entry in case["overlaps"]}
    return {(seat, symbol) for seat, symbols in case[what].items() for symbol in symbols}


def find_archive(requirement: str, data: Path) -> Path:
    """The source distribution of `name==version`."""
    name, _, version = requirement.partition("==")
    pattern = f"{name.lower().replace('-', '_')}-{version}."
    words = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(data)]
    for is_there in (True, False):
        for path in data.iterdir() if data.is_dir() else ():
            if path.name.lower().replace("-", "_", name.count("-")).startswith(pattern):
                return path
        if is_there:
            subprocess.run([*words, requirement], check=True, capture_output=True)
    raise FileNotFoundError(f"{requirement} was not downloaded to {data}")


def unpack_project(archive: Path, folder: Path) -> Path:
    """A source distribution as a repository with one commit."""
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(folder)
    else:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
    root = next(path for path in folder.iterdir() if path.is_dir())
    make_repository(root)
    return root


def make_repository(root: Path) -> None:
    """Make a folder a repository with one commit."""
    for row in (("init", "-q", "-b", "main"), ("config", "user.name", "x"), ("config", "user.email", "x@x.org"),
                ("add", "-A", "--force"), ("commit", "-q", "-m", "base")):  # fmt: skip
        subprocess.run(["git", "-C", str(root), *row], check=True, capture_output=True)


def run_case(case: dict[str, Any], root: Path) -> dict[str, set[tuple[str, ...]]]:
    """What the table says of a case."""
    found: dict[str, set[tuple[str, ...]]] = {"uses": set(), "breaks": set(), "overlaps": set()}
    team.start(root)
    for seat, does in case["seats"].items():
        worktree = Path(team.join(root, seat, worktree="")["worktree"])
        for path, edits in does.get("edits", {}).items():
            text = (worktree / path).read_text()
            for old, new in edits:
                text = text.replace(old, new, 1)
            (worktree / path).write_text(text)
        for change in team.plan(worktree, "\n".join(does["plan"]))["changes"]:
            found["uses"] |= {(seat, use["symbol"]) for use in change["uses"]}
            found["breaks"] |= {(seat, entry["symbol"]) for entry in change["breaks"]}
    for question in team.show_status(root)["questions"]:
        found["overlaps"].add((*sorted(question["seats"]), question["about"]))
    return found
