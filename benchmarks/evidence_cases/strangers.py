"""Programs by people who have not seen the rule: `KIND/NAME/{project/,case.json,judge.py}`, judged by their own judge.

Each is copied away and built with rules alone, then asked what it thinks of it: 0 right, 3 not repaired, 1 wrong. Some
judges know of no mapping, so each is asked as it is, and with what the project maps carried out (`mapped_judge.py`).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.evidence_cases.judge import RUN_LIMIT_S, contents
from graphbus_core.participants.rules.repair_proposals import BOTH

JUDGED_AGAIN = 5  # times, where a run of the judge's own took too long
KINDS = ("traps", "honest", "hostile")
VERDICTS = {0: "right", 3: "left"}


@dataclass(frozen=True)
class Judged:
    """What became of one program. `witness`: what the project proves it by, as the stranger says.

    `verdict`: with the mappings carried out; `alone`: of the judge as it is.
    """

    kind: str
    name: str
    witness: str
    verdict: str
    changed: bool
    alone: str
    first: bool | None  # whether the right choice stands first in a question; None where nothing was asked
    why: str = ""


def judge_all(folder: Path, only: str, show: bool, jobs: int = 1) -> list[Judged]:
    """Every program of a folder, so many at once."""
    cases = [(path.parent, kind) for kind in KINDS for path in sorted((folder / kind).glob("*/case.json"))]
    results = []
    with ThreadPoolExecutor(jobs) as pool:
        for judged in pool.map(lambda c: judge_stranger(*c), [c for c in cases if only in f"{c[1]}/{c[0].name}"]):
            results.append(judged)
            if show and judged.why:
                print(f"  {judged.kind}/{judged.name} [{judged.witness}]: {judged.verdict}: {judged.why}", flush=True)
    return results


def judge_stranger(case: Path, kind: str) -> Judged:
    """Copy, build, judge."""
    told = json.loads((case / "case.json").read_text())
    with TemporaryDirectory(prefix="stranger") as folder:
        copy = Path(folder) / "project"
        shutil.copytree(case / "project", copy)
        before = contents(copy)
        said = _run(
            [sys.executable, "-c", "import sys; from graphbus_core.cli.main import main; sys.exit(main())", *BUILD],
            copy,
        )
        changed = {n: b for n, b in contents(copy).items() if n.endswith(".py")} != {
            n: b for n, b in before.items() if n.endswith(".py")
        }
        alone = judged = _ask_judge(copy, str(case / "judge.py"))
        if changed:
            judged = _ask_judge(copy, str(Path(__file__).with_name("mapped_judge.py")), str(case / "judge.py"))
    verdict, blind = (VERDICTS.get(answered.returncode, "wrong") for answered in (judged, alone))
    lines = [line for line in said.stdout.splitlines() if line.startswith("{")]
    answer = json.loads(lines[-1]) if lines else {"error": said.stderr[-300:]}
    first_choice = _is_right_first(answer, str(told.get("mismatch", "")))
    end = (judged.stdout + judged.stderr).strip()[-200:].replace("\n", " | ")
    why = "" if verdict == "right" else f"{told.get('mismatch')}: {end} {answer.get('error', '')}"
    return Judged(
        kind,
        case.name,
        str(told.get("witness")),
        verdict,
        changed,
        blind,
        first_choice,
        why,
    )


def _ask_judge(copy: Path, *command: str) -> subprocess.CompletedProcess[str]:
    judged = _run([sys.executable, "-B", *command], copy)
    for _ in range(JUDGED_AGAIN):  # a machine that others load is no verdict
        if "TimeoutExpired" in judged.stdout + judged.stderr:
            judged = _run([sys.executable, "-B", *command], copy)
    return judged


BUILD = ("build", ".", "--enable-agents", "--model", "rules", "--json")


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=RUN_LIMIT_S)


def _is_right_first(answer: object, mismatch: str) -> bool | None:
    """Whether the field that the stranger means is the first choice of the question about it."""
    sent, *between, taken = (part.strip() for part in mismatch.split("->"))
    field, meant = (part.split(" (")[0].split(".")[-1] for part in (taken, sent))
    meant = "without" if "nothing" in sent else "pass on" if between else BOTH if meant == field else meant
    found = _list_questions(answer)
    for question in found:
        if str(question.get("field")).split(".")[-1] == field:
            names = [c["name"] if isinstance(c, dict) else c for c in question.get("candidates", ())]
            return bool(names) and names[0] == meant
    return None


def _list_questions(answer: object) -> list[dict]:
    if isinstance(answer, dict):
        own = [q for q in answer.get("questions", ()) if isinstance(q, dict)] if "questions" in answer else []
        return own + [q for value in answer.values() for q in _list_questions(value)]
    return [q for value in answer for q in _list_questions(value)] if isinstance(answer, list) else []


def print_table(results: list[Judged]) -> bool:
    """Print the figures; whether nothing is wrong."""
    for kind in KINDS:
        some = [r for r in results if r.kind == kind]
        if some:
            print(f"\n{kind}: {len(some)}   {_render(some)}   changed {sum(r.changed for r in some)}")
            if other := [r for r in some if r.alone != r.verdict]:
                print(
                    f"  their judges as they are, blind to mappings: {_render(some, alone=True)} ({len(other)} differ)"
                )
        if kind == "honest":
            for name, part in (
                ("with a witness", [r for r in some if r.witness != "None"]),
                ("without", [r for r in some if r.witness == "None"]),
            ):
                asked = [r for r in part if r.first is not None and r.verdict == "left"]
                first = f"right choice first {sum(r.first is True for r in asked)} of {len(asked)} questions"
                print(f"  {name}: {len(part)}   {_render(part)}   {first}")
    return not any(r.verdict == "wrong" for r in results)


def _render(results: list[Judged], alone: bool = False) -> str:
    verdicts = Counter(r.alone if alone else r.verdict for r in results)
    return "  ".join(f"{verdict} {n}" for verdict, n in sorted(verdicts.items()))
