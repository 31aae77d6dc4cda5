"""Crash enumeration of the commit's transaction: power cuts after every call, every call failing, edits in between.

    python benchmarks/crash.py [--files 1 3 10] [--again]

A simulated disk keeps what is durable apart from what is not. After each cut many combinations are tried: names that
were not durable survive all, none, one alone, all but one, or at random; bytes survive, are lost, or are torn. After
recovery all files are old or all are new, and nothing is left behind. `--again` cuts the power a second time, inside of
every recovery.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.commit import crashes


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, nargs="+", default=[1, 3, 10])
    parser.add_argument("--again", action="store_true", help="a second power cut in every recovery, for all sizes")
    given = parser.parse_args()
    ok = True
    print(f"{'what':70} {'calls':>6} {'tried':>8} {'violations':>11} {'goal':>5}  ok {'s':>6}")
    for files in given.files:
        calls = crashes.calls_of(crashes.changes(files))
        runs = [
            ("power cut after every call", crashes.crashes),
            ("every call failing: ENOSPC, EIO, EACCES; once, and for good", crashes.faults),
            ("a file saved by somebody before every call", crashes.edits),
        ]
        if files <= 3:
            runs.append(("a file saved before every call, and a power cut after", crashes.edits_and_cuts))
        if given.again or files <= 3:
            runs.insert(
                1, ("power cut, and again in every call of the recovery", lambda n: crashes.crashes(n, again=True))
            )
        for name, run in runs:
            begun = time.monotonic()
            tally = run(files)
            took = time.monotonic() - begun
            good = not tally.violations
            ok &= good
            label = f"{files} files: {name}"
            bad, said = len(tally.violations), "yes" if good else "NO"
            print(f"{label:70} {calls:6} {tally.tried:8} {bad:11} {0:5}  {said} {took:6.1f}")
            for violation in tally.violations[:5]:
                print(f"    {violation}")
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
