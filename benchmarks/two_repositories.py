"""40 changes of two repositories, written by a stranger: does CI say so before anything is deployed?

    python benchmarks/two_repositories.py [--cases benchmarks/cases/two_repositories] [--only 07,12] [--jobs 2]

For each change: two fresh git repositories (examples/two_repositories), the contract signed by both, both green. The
edit is made on a branch of one side, with what its developer does behind it: run the tests that record, and push. Where
its CI is red and a schema or types were changed, they are tabled. Then both CIs, as the workflow files of the examples
say, in fresh clones: the branch of the side that changed, then the other side, which changed nothing.

Needs node, and TypeScript with @types/node. Prints one line a change and the figures: breaking ones found, with
payload; harmless ones green; and what passed by ignorance.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from _two_repositories_road import ROOT, SHOWS, End, World, find_modules


def try_change(change: dict[str, Any], template: World) -> dict[str, End] | RuntimeError:
    """One change in a copy of the two green repositories: what CI says, or why it could not be tried."""
    with tempfile.TemporaryDirectory() as place:
        try:
            return template.copy_to(Path(place) / "world").make(change)
        except RuntimeError as e:
            return e


def count_end(change: dict[str, Any], ends: dict[str, End], counts: dict[str, int]) -> None:
    """Print how one change ended, and count it."""
    codes = {name: ends[name].code for name in SHOWS}
    red, payloads = any(codes.values()), [end.has_payload for end in ends.values()]
    if change["breaking"]:
        counts["broken"] += 1
        counts["found"] += red
        counts["unknown"] += red and 1 not in codes.values()
        counts["payload"] += any(payloads)
        counts["both"] += all(codes.values())
        counts["both with it"] += all(payloads)
        # A test shows the others: a line about code that no test ran names something else there.
        is_unreached = change.get("shown") is False
        named = not red and is_unreached and any(end.names_untested for end in ends.values())
        counts["named"] += named
        counts["passed"] += not red and not named
    else:
        counts["harmless"] += 1
        counts["green"] += not red
        counts["doubted"] += red and 1 not in codes.values()
    right = red == change["breaking"]
    said = " | ".join(f"{name}: {end.said[:200]}" for name, end in ends.items() if end.said)
    print(
        f"{change['id']} {'ok   ' if right else 'WRONG'} {change['side']:8} breaking={change['breaking']!s:5} {codes} "
        f"{change['title']}" + (f"\n     {said}" if said else ""),
        flush=True,
    )


def print_figures(head: str, counts: dict[str, int]) -> None:
    """The figures of one row: changes that tests or a service show, or those that nobody wrote a test for."""
    print(
        f"{head}: breaking {counts['broken']}: found {counts['found']} (goal all; {counts['unknown']} of them as not "
        f"known), with a payload {counts['payload']}, on both sides {counts['both']}, with a payload on both "
        f"{counts['both with it']}; named as code that no test ran {counts['named']}; passed by "
        f"ignorance {counts['passed']} (goal 0)\n"
        f"{' ' * len(head)}  harmless {counts['harmless']}: green {counts['green']} (goal all), not known "
        f"{counts['doubted']}. Not tried {counts['unhealthy']}."
    )


def main() -> int:
    """Print a line a change, then the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path, default=ROOT / "benchmarks" / "cases" / "two_repositories")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1, help="changes that are tried at once")
    options = parser.parse_args()
    if find_modules() is None or shutil.which("npm") is None:
        print("not run: needs npm, and `npm install` in examples/two_repositories/billing (or NODE_MODULES)")
        return 0
    changes = [json.loads(file.read_text("utf-8")) for file in sorted(options.cases.glob("*.json"))]
    changes = [change for change in changes if not options.only or change["id"] in options.only.split(",")]
    if not changes:
        print(f"not run: {options.cases} has no changes. They are to be written by a stranger.")
        return 0
    names = [
        "broken",
        "unhealthy",
        "found",
        "unknown",
        "payload",
        "both",
        "harmless",
        "green",
        "doubted",
        "named",
        "passed",
    ]
    rows = {shown: dict.fromkeys([*names, "both with it"], 0) for shown in (True, False)}
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        template = World(Path(place))
        before = {name: template.run_ci(name, "main") for name in SHOWS}
        assert not any(end.code for end in before.values()), before  # else a red CI would prove nothing
        with ThreadPoolExecutor(options.jobs) as pool:
            for change, ends in zip(changes, pool.map(partial(try_change, template=template), changes), strict=True):
                counts = rows[change.get("shown", True)]
                if isinstance(ends, RuntimeError):
                    counts["unhealthy"] += 1
                    print(f"{change['id']} not tried: {ends}", flush=True)
                else:
                    count_end(change, ends, counts)
    print()
    print_figures("shown", rows[True])
    if any(rows[False].values()):
        print_figures("no test reaches it", rows[False])
    print(f"Servers needed: 0. {time.monotonic() - start:.0f} s")
    return 0 if rows[True]["passed"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
