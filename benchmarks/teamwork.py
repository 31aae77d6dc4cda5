"""Teams of agents at one repository: what comes of them.

python benchmarks/teamwork.py --scripted 100 [--seed 37]
"""

from __future__ import annotations

import argparse

from _team_scripted import print_scripted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scripted", type=int, default=0, help="so many scripted teams")
    parser.add_argument("--seed", type=int, default=37)
    options = parser.parse_args()
    if options.scripted:
        print_scripted(options.scripted, options.seed)


if __name__ == "__main__":
    main()
