"""Teams of agents at one repository: what comes of them.

    python benchmarks/teamwork.py --scripted 100 [--seed 37]
    python benchmarks/teamwork.py --plans benchmarks/cases/team/r1 [--data FOLDER]
    python benchmarks/teamwork.py --agent 'CMD {prompt}' --data FOLDER [--pairs 6] [--minutes 30]
    python benchmarks/teamwork.py --stand-in --data FOLDER
    python benchmarks/teamwork.py --turns

`--scripted`: seeded teams of 2 to 6 seats, with overlaps, silences, kills and broken promises (`_team_scripted.py`).
`--plans`: plans of strangers on public projects, and who they really touch (`_team_plans.py`, cases/team/FORMAT.md).
`--agent`: real coding agents on CooperBench's click tasks, in four modes (`_team_agents.py`). FOLDER has clones of
cooperbench/CooperBench and pallets/click, as `CooperBench` and `click`. Without an agent it prints *not run*.
`--stand-in`: the same with a script in an agent's place, to see that the modes work; no result of agents.
`--turns`: how many characters a turn has where nothing is contested, over the command line and over MCP.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from _team_agents import MODES, STAND_IN, print_agents
from _team_plans import print_plans
from _team_scripted import print_scripted
from _team_turns import print_turns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scripted", type=int, default=0, help="so many scripted teams")
    parser.add_argument("--seed", type=int, default=37)
    parser.add_argument("--plans", type=Path, help="a folder of cases")
    parser.add_argument("--agent", help="the command of a coding agent; {prompt} is what it is asked")
    parser.add_argument("--stand-in", action="store_true", help="a script in an agent's place")
    parser.add_argument("--pairs", type=int, default=6, help="of features")
    parser.add_argument("--minutes", type=float, default=30.0, help="that an agent may take")
    parser.add_argument("--mode", choices=MODES, action="append", help="only this mode; may be given again")
    parser.add_argument("--turns", action="store_true", help="the size of turns")
    parser.add_argument(
        "--data", type=Path, default=Path(tempfile.gettempdir()) / "graphbus-teamwork", help="where projects lie"
    )
    options = parser.parse_args()
    if options.scripted:
        print_scripted(options.scripted, options.seed)
    elif options.plans:
        print_plans(options.plans, options.data)
    elif options.turns:
        print_turns()
    elif options.agent or options.stand_in:
        agent = options.agent or f"{sys.executable} {STAND_IN}"
        print_agents(agent, options.data, options.pairs, options.minutes, options.mode or MODES)
    else:
        for mode in MODES:
            print(f"{mode:<14} not run")


if __name__ == "__main__":
    main()
