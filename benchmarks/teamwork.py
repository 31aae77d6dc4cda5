"""Teams of agents at one repository: what comes of them.

    python benchmarks/teamwork.py --scripted 100 [--seed 37]
    python benchmarks/teamwork.py --plans benchmarks/cases/team/plans
    python benchmarks/teamwork.py

`--scripted`: seeded teams of 2 to 6 seats, with overlaps, silences, kills and broken promises (`_team_scripted.py`).
`--plans`: plans of strangers on public projects, and who they really touch (`_team_plans.py`, cases/team/FORMAT.md).
Without either: four modes with real coding agents. No agent can be seated by this edition, so it prints *not run*.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from _team_plans import print_plans
from _team_scripted import print_scripted

MODES = ("one alone", "git only", "free messages", "this table")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scripted", type=int, default=0, help="so many scripted teams")
    parser.add_argument("--plans", type=Path, help="a folder of cases")
    parser.add_argument(
        "--data", type=Path, default=Path(tempfile.gettempdir()) / "graphbus-plans", help="where the projects lie"
    )
    parser.add_argument("--seed", type=int, default=37)
    options = parser.parse_args()
    if options.scripted:
        print_scripted(options.scripted, options.seed)
    if options.plans:
        print_plans(options.plans, options.data)
    if not options.scripted and not options.plans:
        for mode in MODES:
            print(f"{mode:<14} not run")


if __name__ == "__main__":
    main()
