"""Take each trap's rule out in turn, and see that a test goes red: `python -m tests.mutants` (or `make mutants`).

Each mutant is the package copied aside with one small change, and the tests that must catch it. A mutant that survives
means a rule that nobody guards; the run then ends with 1.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROPOSAL = "graphbus_core/negotiation/proposal/"
CORE = "graphbus_core/negotiation/core/"
RULES = "tests/negotiation/proposal/test_proposal_rules.py"
STORES = "tests/logs/test_log_stores.py"
SIMULATION = "tests/simulation/test_simulation.py"


@dataclass(frozen=True)
class Mutant:
    """One rule taken out: in `file`, `old` becomes `new`; `tests` (pytest arguments) must fail."""

    name: str
    file: str
    old: str
    new: str
    tests: str


MUTANTS = (
    Mutant(
        "trap 2: conflicts are pairs, not components",
        PROPOSAL + "proposal/evaluation.py",
        "                root[find(other)] = find(pid)\n",
        "                if pid not in fields and other not in fields:\n"
        "                    root[find(other)] = find(pid)\n",
        f"{RULES} -k trap_2",
    ),
    Mutant(
        "trap 2: the losers of a conflict stay free",
        PROPOSAL + "proposal/reactions.py",
        '    if ruling["proposal_id"] != pid:\n        return _rejected(',
        "    if False:\n        return _rejected(",
        f"{RULES} -k trap_2",
    ),
    Mutant(
        "trap 2: nothing is checked again at commit",
        PROPOSAL + "proposal/reactions.py",
        "    if why := _moved(state, record):\n        return e.ProposalSuperseded(record.audience, state.round, "
        "record.proposal_id, why)\n    for other",
        "    for other",
        f"{RULES} -k trap_2",
    ),
    Mutant(
        "trap 2: what an arbiter changed is checked on the old ground",
        PROPOSAL + "proposal/fold.py",
        '        record.base = fact.computed["base"]',
        "        record.base = {}",
        f"{RULES} {SIMULATION}",
    ),
    Mutant(
        "trap 3: the label is believed",
        PROPOSAL + "proposal/effects.py",
        "return max(computed, label, key=lambda t: STRICTNESS.get(t, -1))",
        "return label or computed",
        f"{RULES} -k trap_3",
    ),
    Mutant(
        "trap 3: the arbiter's diff is believed",
        PROPOSAL + "proposal/reactions.py",
        '    if computed["type"] == BREAKING:\n        return _rejected(',
        "    if False:\n        return _rejected(",
        f"{RULES} -k trap_3",
    ),
    Mutant(
        "trap 4: a commit needs no real accept",
        PROPOSAL + "proposal/evaluation.py",
        "return not self.electorate or any(n in accepts for n in self.electorate)",
        "return True",
        f"{RULES} -k trap_4",
    ),
    Mutant(
        "trap 5: an arbiter may rule on its own proposal",
        PROPOSAL + "proposal/evaluation.py",
        "(a for a in self.arbiters if a not in parties and a not in tried)",
        "(a for a in self.arbiters if a not in tried)",
        f"{RULES} -k trap_5",
    ),
    Mutant(
        "trap 6: a retry keeps the id of the refused question",
        CORE + "session.py",
        'return want if attempt is None else replace(want, id=f"{want.id}#{attempt}")',
        "return want",
        "tests/negotiation/core/test_core.py -k trap_6",
    ),
    Mutant(
        "trap 9: a whole line without its newline counts",
        "graphbus_core/logs/jsonl.py",
        '        if not line.endswith(b"\\n"):\n'
        '            return Damage(number, "an unfinished write", unfinished=True)',
        '        if not line.endswith(b"\\n"):\n            line += b"\\n"',
        f"{STORES} -k trap_9",
    ),
    Mutant(
        "trap 9: a whole answer without its newline counts",
        "graphbus_core/storage/atomic_files.py",
        '        if not line.endswith(b"\\n"):\n            return\n        yield',
        '        if not line.endswith(b"\\n"):\n            line += b"\\n"\n        yield',
        f"{STORES} -k trap_9",
    ),
    Mutant(
        "trap 12: a dropped proposal is silence",
        PROPOSAL + "proposal/fold.py",
        '    state.todo.extend(("fresh", fact.agent, body) for body in fact.proposals)',
        "    bound = state.config.safety.max_proposals_per_round\n"
        '    state.todo.extend(("fresh", fact.agent, body) for body in fact.proposals[:bound])',
        f"{RULES} -k trap_12",
    ),
    Mutant(
        "silence is a yes",
        PROPOSAL + "proposal/evaluation.py",
        "        return [n for n in self.evaluators if self._said(n) in _YES and n not in self.silent]",
        "        return [n for n in self.evaluators if self._said(n) in _YES or n in self.silent]",
        RULES,
    ),
    Mutant(
        "an affected peer can be left out",
        PROPOSAL + "proposal/reactions.py",
        "    evaluators = ground.in_order({*concerned, *listed} - {proposer})",
        "    evaluators = ground.in_order({*(listed or concerned)} - {proposer})",
        f"{RULES} {SIMULATION}",
    ),
    Mutant(
        "the total of changed files is not checked at commit",
        PROPOSAL + "proposal/reactions.py",
        "    if len(changed) > safety.max_total_file_changes:",
        "    if False:",
        f"{RULES} {SIMULATION}",
    ),
    Mutant(
        "a majority may break what exists",
        PROPOSAL + "proposal/evaluation.py",
        "        if breaking and rejects:",
        "        if False:",
        f"{RULES} {SIMULATION}",
    ),
)


def main() -> int:
    """Run every mutant; 1 where one survives or no longer applies."""
    only = sys.argv[1:]
    survived = 0
    for mutant in MUTANTS:
        if only and not any(word in mutant.name for word in only):
            continue
        begun = time.perf_counter()
        verdict = _try(mutant)
        survived += verdict != "caught"
        print(f"{verdict:<10}{time.perf_counter() - begun:>6.1f} s  {mutant.name}", flush=True)
    print(f"\n{len(MUTANTS)} mutants, {survived} not caught")
    return 1 if survived else 0


def _try(mutant: Mutant) -> str:
    with tempfile.TemporaryDirectory() as folder:
        for name in ("graphbus_core", "tests", "benchmarks", "pyproject.toml"):
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, Path(folder) / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, folder)
        file = Path(folder) / mutant.file
        text = file.read_text(encoding="utf-8")
        if text.count(mutant.old) != 1:
            return "STALE"
        file.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *mutant.tests.split(" ")],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    if done.returncode == 1:
        return "caught"
    return "SURVIVED" if done.returncode == 0 else f"ERROR {done.returncode}"


if __name__ == "__main__":
    sys.exit(main())
