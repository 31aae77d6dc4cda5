"""How red lines in words are read: `python benchmarks/red_lines.py --cases FOLDER [--show KIND]`.

FOLDER holds `sentences/NNN.json`: a table, a sentence, and what it excludes (see FORMAT.md beside them). A sentence is
right where exactly that is excluded, asked where nothing is applied, and else wrong: opposite, dropped or more.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from graphbus_core.negotiation.consent.red_lines import boxes  # noqa: E402
from graphbus_core.negotiation.consent.red_lines.reading import read_sentence  # noqa: E402
from graphbus_core.negotiation.consent.scenario.model import Issue  # noqa: E402


def build_issue(data: dict[str, Any]) -> Issue:
    """An issue of a case, as a scenario would give it: the unit stands in its title."""
    options = tuple(map(str, data["options"]))
    numbers = tuple(map(float, data["options"])) if data["kind"] == "number" else None
    return Issue(data["name"], options, numbers, data.get("unit", ""))


def judge(case: dict[str, Any]) -> str:
    """What came of one sentence."""
    issues = tuple(build_issue(i) for i in case["table"]["issues"])
    reading = read_sentence(case["sentence"], issues)
    if reading.excluded is None:
        return "asked"
    if case["ambiguous"]:
        return "applied, and should ask"
    wanted = {tuple(str(e[i.name]) for i in issues) for e in case["excluded"]}
    packages = list(product(*(range(len(i.options)) for i in issues)))
    names = {p: tuple(i.options[o] for i, o in zip(issues, p, strict=True)) for p in packages}
    read = {names[p] for p in packages if boxes.contains(reading.excluded, p)}
    if read == wanted:
        return "right"
    if not read:
        return "dropped"
    return "opposite" if not read & wanted else "half" if read < wanted else "too much"


def main() -> int:
    """The table of results; exits 1 where something is applied that was not meant."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", required=True, type=Path)
    parser.add_argument("--show", help="print the sentences of this result")
    args = parser.parse_args()
    results: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    for path in sorted((args.cases / "sentences").glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        result = judge(case)
        results[case["ambiguous"]][result] += 1
        if args.show == result:
            print(f"{path.stem} {'(ambiguous) ' if case['ambiguous'] else ''}{case['sentence']!r} {case['predicate']}")
    for ambiguous, counts in results.items():
        total = sum(counts.values())
        told = ", ".join(f"{name} {n}" for name, n in counts.most_common())
        print(f"{'to be asked about' if ambiguous else 'plain':<18} {total:>4}: {told}")
    plain = results[False]
    share = plain["right"] / max(1, sum(plain.values()))
    wrong = sum(n for c in results.values() for name, n in c.items() if name not in ("right", "asked"))
    print(f"read without a question {share:.3f} (goal >= .85), applied wrongly {wrong} (goal 0)")
    return 1 if wrong or share < 0.85 else 0


if __name__ == "__main__":
    sys.exit(main())
