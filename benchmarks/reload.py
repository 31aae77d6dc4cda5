"""A build changed under a running program: what is lost, doubled or overtaken, and for how long the nodes pause.

    python benchmarks/reload.py                 # 100 reloads in threads, 100 in an event loop; some three minutes
    python benchmarks/reload.py --reloads 10

Four publishers make 1,000 events a second in all. Each event goes through two nodes, and both are other code with every
reload; the second keeps what it heard in its state, which is handed over each time. Every tenth event of one publisher
is followed by a direct call. "cost" is a publish to one handler with doors and without, in one run.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])

from graphbus_core import GraphBusNode, subscribe
from graphbus_core.config import RuntimeConfig
from graphbus_core.testing.harness import ClassExecutor
from tests.runtime.reload.load import Load, Outcome


def main() -> int:
    """Print the table; 1 where an event was lost, doubled or overtaken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reloads", type=int, default=100)
    parser.add_argument("--rate", type=float, default=1_000)
    args = parser.parse_args()
    print(f"{'':>12}{'reloads':>9}{'events':>9}{'/s':>7}{'lost':>6}{'doubled':>9}{'overtaken':>11}{'dead':>6}", end="")
    print(f"{'calls lost':>12}{'pause p50':>11}{'max, ms':>9}")
    faults = 0
    for name, asynchronous in (("threads", False), ("event loop", True)):
        with tempfile.TemporaryDirectory() as folder:
            one = Load(Path(folder), rate=args.rate, asynchronous=asynchronous).run(args.reloads)
        faults += _told(name, one)
    print(f"\ncost of a publish to one handler: {_cost():.2f} µs more where a runtime can be reloaded")
    return 1 if faults else 0


def _told(name: str, one: Outcome) -> int:
    lost_calls = one.calls_made - one.calls_kept
    pauses = sorted(1000 * pause for pause in one.paused_s)
    print(f"{name:>12}{one.reloads:>9}{one.published:>9}{one.published / one.seconds:>7.0f}{one.lost:>6}", end="")
    print(f"{one.doubled:>9}{one.overtaken:>11}{one.dead:>6}{lost_calls:>12}", end="")
    print(f"{statistics.median(pauses):>11.1f}{pauses[-1]:>9.1f}", flush=True)
    return one.lost + one.doubled + one.overtaken + one.dead + lost_calls


class Sink(GraphBusNode):
    """Hears."""

    @subscribe("/Sunk")
    def on_sunk(self, payload):
        pass


def _cost(count: int = 50_000) -> float:
    """Microseconds of processor time, the median of seven interleaved pairs."""
    with (
        ClassExecutor([Sink], config=RuntimeConfig(reloadable=True)) as doors,
        ClassExecutor([Sink], config=RuntimeConfig()) as none,
    ):
        more = []
        for _ in range(7):
            took = []
            for executor in (doors, none):
                assert executor.bus is not None
                publish, payload = executor.bus.publish, {"n": 1}
                begun = time.process_time()
                for _ in range(count):
                    publish("/Sunk", payload)
                took.append(time.process_time() - begun)
            more.append(1e6 * (took[0] - took[1]) / count)
    return statistics.median(more)


if __name__ == "__main__":
    sys.exit(main())
