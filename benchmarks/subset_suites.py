"""Seven other projects' own cases of "does every value of this schema fit that one?", beside what is said here.

    python benchmarks/subset_suites.py --data CLONES [--unread]

CLONES holds OWNER+NAME/repo, OWNER/NAME or NAME of the repositories that `_subset_suites` names, with the commit that
it names. Nothing is fetched or run of them. Where the answers differ, a value proves the one given here (`jsonschema`
accepts it for the one schema and not for the other; it is looked for in each run), else `subset_suites.tsv` says why.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from jsonschema import validators

from benchmarks._subset_suites import SUITES, Case, Suite
from graphbus_core.contracts import check
from graphbus_core.contracts.parsing.json_schema import DRAFT4, DRAFT6, DRAFT7, DRAFT2019, detect_dialect
from graphbus_core.errors import ContractError

CLASSES = {
    DRAFT4: validators.Draft4Validator,
    DRAFT6: validators.Draft6Validator,
    DRAFT7: validators.Draft7Validator,
    DRAFT2019: validators.Draft201909Validator,
}
ANSWERS = {True: "fits", False: "breaks", None: "undecided"}


def accepts(schema: Any, value: Any, dialect: str) -> bool:
    """What `jsonschema` says, asked without any code of ours but the name of the dialect."""
    return bool(CLASSES.get(detect_dialect(schema, dialect), validators.Draft202012Validator)(schema).is_valid(value))


def judge(case: Case, dialect: str) -> tuple[str, Any]:
    """The answer given here, and the value that another program confirms as its proof (None: there is none)."""
    try:
        verdict = check(case.producer, case.consumer, dialect=dialect)
    except ContractError:
        return "refused", None
    if not verdict.has_counterexample:
        return ANSWERS[verdict.compatible], None
    value = verdict.counterexample
    try:
        is_proved = accepts(case.producer, value, dialect) and not accepts(case.consumer, value, dialect)
    except Exception:  # it dies of some schemas, or leads a reference out of them
        is_proved = False
    return ANSWERS[verdict.compatible], [value] if is_proved else None


def try_suite(suite: Suite, clones: Path, reasons: dict[tuple[str, str, str], str], show_unread: bool) -> Counter[str]:
    cases, unread = suite.list_cases(clones)
    counted = Counter({"cases": len(cases), "unread": len(unread)})
    for case in cases:
        here, proof = judge(case, suite.dialect)
        counted["proved"] += proof is not None
        counted["noes"] += here == "breaks"
        if here == ANSWERS[case.fits]:
            counted["agree"] += 1
        elif proof is not None:
            counted["proved otherwise"] += 1
        elif (suite.name, case.name, here) in reasons:
            counted[f"{here} with a reason"] += 1
        else:
            counted["without a reason"] += 1
            print(f"    {suite.name}\t{case.name}\t{here}")
            print(f"        {json.dumps(case.producer)}\n        {json.dumps(case.consumer)}")
    print(
        f"{suite.name:34} {counted['agree']:>4}/{len(cases):<4} {counted['proved otherwise']:>7} "
        + " ".join(f"{counted[f'{what} with a reason']:>9}" for what in ("fits", "breaks", "undecided", "refused"))
        + f" {counted['without a reason']:>9} {counted['proved']:>4}/{counted['noes']:<4} {len(unread):>6}",
        flush=True,
    )
    for text in unread if show_unread else ():
        print(f"    not read  {text}")
    return counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--unread", action="store_true", help="name the expectations that are more than literals")
    options = parser.parse_args()
    with (Path(__file__).parent / "subset_suites.tsv").open(newline="") as table:
        reasons = {(r["suite"], r["case"], r["here"]): r["why"] for r in csv.DictReader(table, delimiter="\t")}
    print(
        f"{'suite':34} {'agree':>9} {'a value':>7} {'fits':>9} {'breaks':>9} {'undecided':>9} {'refused':>9} "
        f"{'no reason':>9} {'noes':>9} {'unread':>6}"
    )
    total: Counter[str] = Counter()
    for suite in SUITES:
        total += try_suite(suite, options.data, reasons, options.unread)
    undecided = total["undecided with a reason"] + total["refused with a reason"]
    print(
        f"{total['agree']} of {total['cases']} agree. Of the {total['cases'] - total['agree']} others a value proves "
        f"{total['proved otherwise']}, {undecided} are not decided, {total['without a reason']} have no reason"
    )


if __name__ == "__main__":
    main()
