"""Pairs of branches that git merges without a word: those that must be refused by line, and their harmless twins.

FOLDER has `conflicts/NN` and `twins/NN`, each with `base`, `ours`, `theirs` and `case.json`; see FORMAT.md there.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from graphbus_core.commit.landing.land import Lander, Landing, LandingRequest
from graphbus_core.commit.landing.repository import Repository
from graphbus_core.services.landing import find_contract_faults


def print_semantic(folder: Path, verify: str | None, part: str) -> None:
    """Land every pair for real, and say what was refused, where, and by which gate."""
    # The tests of a landing find what this process finds: this folder's modules would hide a pair's of the same name.
    here = Path(__file__).resolve().parent
    sys.path[:] = [place for place in sys.path if Path(place).resolve() != here]
    ends: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    first, parts = map(int, part.split("/"))
    cases = sorted(p.parent for p in folder.glob("*/*/case.json"))[first::parts]
    for case in cases:
        about = json.loads((case / "case.json").read_text())
        landing = land_case(case, verify)
        kind = case.parent.name
        kinds[kind] += 1
        ends[f"{kind} {'landed' if landing.is_good else 'refused'}"] += 1
        gate = landing.why.partition(":")[0] if landing.gates else "merge"
        line = {"case": f"{kind}/{case.name}", "kind": about["kind"], "end": landing.status, "gate": gate,
                "why": landing.why[:400]}  # fmt: skip
        if kind == "conflicts" and not landing.is_good:
            ends["conflicts refused by file and line"] += bool(re.search(r"\S+\.py:\d+", landing.why))
            ends["conflicts refused by the line that the stranger named"] += str(about["where"]) in landing.why
            ends[f"conflicts refused by {gate}"] += 1
        print(json.dumps(line), flush=True)
    for end, count in sorted(ends.items()):
        print(f"{end}: {count} of {kinds[end.split(' ')[0]]}")


def land_case(case: Path, verify: str | None) -> Landing:
    """A repository with the three versions, and theirs landed on ours in it."""
    with tempfile.TemporaryDirectory(prefix="landing-case-") as name:
        root = Path(name)
        for words in (("init", "-q", "-b", "base"), ("config", "user.name", "x"), ("config", "user.email", "x@y.org")):
            run(root, *words)
        commit(root, case / "base", "base")
        for side in ("theirs", "ours"):
            run(root, "switch", "-q", "-c", side, "base")
            commit(root, case / side, side)
        request = LandingRequest(("theirs",), verify=verify, dry_run=True)
        return Lander(Repository(root), request, inspect=find_contract_faults).land_all()[0]


def commit(root: Path, source: Path, message: str) -> None:
    for old in root.iterdir():
        if old.name != ".git":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    left_out = shutil.ignore_patterns("__pycache__", ".pytest_cache")
    # With their times, git would take a file of the same size for the one that it knows.
    shutil.copytree(source, root, dirs_exist_ok=True, ignore=left_out, copy_function=shutil.copyfile)
    run(root, "add", "-A")
    run(root, "commit", "-q", "--allow-empty", "-m", message)


def run(root: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True)
