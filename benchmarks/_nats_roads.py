"""What the runtime costs beside raw nats-py on each road from publish to handler, and what tracing adds.

Processor time is that of this process, which publishes and handles. The times of an event are taken by one clock: the
payload says when it was handed over, on both sides.
"""

from __future__ import annotations

import statistics
from typing import Any

from benchmarks._nats_sides import AsyncSink, Ours, Raw, Run, Sink, measured
from tests.runtime.nats_server import NatsServer

SLICE = 40  # events in a row of one side: short, so that a busy machine is as busy for all of them
GOAL_CPU, GOAL_RATE = 1.15, 0.70  # of raw: at most, at least
# A plain handler may block: ours runs in a thread, and events, heartbeats and answers go on beside it. Raw that
# promises as much runs it in a thread, too, and the goal is held against that. In raw's loop a handler that blocks
# stops all of these; what our thread costs beside that is printed, and has no goal: it is another promise.
_HANDLERS = ((Sink, True, "sync, in threads"), (Sink, False, "sync; raw: loop"), (AsyncSink, False, "async"))


def roads(count: int, repeats: int) -> bool:
    """Each road raw and ours, interleaved."""
    good = True
    print(f"\npublish -> handler, {count} events, a quarter of them one by one; best of {repeats}, interleaved")
    print("(other): raw's loop stands still while its handler runs, ours does not; not held against the goal")
    print("p50 and p99: of all events, ms from publish to the handler; pipelined mostly the queue: all come at once")
    print(
        "road        handler            raw us  ours us  ratio      goal    raw/s   ours/s  share      goal"
        "  raw p50 ours p50  raw p99 ours p99"
    )
    with NatsServer() as server:
        for number, (kind, aside, what) in enumerate(_HANDLERS):
            raw, ours = Raw(server, f"raw{number}", aside=aside), Ours(server, f"ours{number}", kind)
            for road in ("sync", "pipelined", "awaited"):
                some = count // 4 if road != "pipelined" else count
                runs = [(measured(raw, road, some), measured(ours, road, some)) for _ in range(repeats)]
                is_same_promise = kind is AsyncSink or aside
                line, met = _row([one for one, _ in runs], [other for _, other in runs], is_same_promise)
                good &= met or not is_same_promise
                print(f"{road:<12}{what:<16}{line}", flush=True)
            raw.close()
            ours.close()
    return good


def _row(raw: list[Run], ours: list[Run], is_same_promise: bool) -> tuple[str, bool]:
    """One line of the table, and whether the goal of processor time is met."""
    raw_us, ours_us = (min(run.cpu_us for run in side) for side in (raw, ours))
    raw_s, ours_s = (max(run.rate for run in side) for side in (raw, ours))
    ratio, share = ours_us / raw_us, ours_s / raw_s
    times = [[one * 1e3 for run in side for one in run.took] for side in (raw, ours)]
    p50 = [statistics.median(some) for some in times]
    p99 = [statistics.quantiles(some, n=100)[98] for some in times]
    goal = f"<={GOAL_CPU:g}" if ratio <= GOAL_CPU else f"<={GOAL_CPU:g} NO" if is_same_promise else "(other)"
    line = (
        f"{raw_us:>9.0f}{ours_us:>9.0f}{ratio:>7.2f}{goal:>10}{raw_s:>9.0f}{ours_s:>9.0f}{share:>7.2f}"
        f"{'>=.70' if share >= GOAL_RATE else '>=.70 NO':>10}{p50[0]:>9.2f}{p50[1]:>9.2f}{p99[0]:>9.2f}{p99[1]:>9.2f}"
    )
    return line, ratio <= GOAL_CPU


def traces(count: int, repeats: int) -> bool:
    """What tracing costs on the sync road: off, at 10 % sampling, always on."""
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    from graphbus_core.runtime.telemetry.tracing import Telemetry

    class Nowhere(SpanExporter):
        def export(self, spans: Any) -> Any:
            return SpanExportResult.SUCCESS

    def telemetry(share: float) -> Telemetry:
        provider = TracerProvider(sampler=ParentBased(TraceIdRatioBased(share)))
        provider.add_span_processor(BatchSpanProcessor(Nowhere()))
        return Telemetry(provider)

    slices = max(count // SLICE, 1) * repeats
    print(
        f"\ntracing, {slices} times {SLICE} events one by one (sync), in turns; median, and of the ratio in each turn"
    )
    with NatsServer() as server:
        sides = {
            "off": Ours(server, "off"),
            "off again": Ours(server, "off2"),
            "10 %": Ours(server, "tenth", middleware=[telemetry(0.1)]),
            "always": Ours(server, "always", middleware=[telemetry(1.0)]),
        }
        runs: dict[str, list[float]] = {name: [] for name in sides}
        for number in range(slices):
            names = list(sides)
            for name in names[number % len(names) :] + names[: number % len(names)]:
                runs[name].append(measured(sides[name], "sync", SLICE).cpu_us)
        for side in sides.values():
            side.close()
    # Each slice beside those of its own turn: a machine that is busy for a while is so for all four.
    off = [(one + other) / 2 for one, other in zip(runs["off"], runs["off again"], strict=True)]
    ratios = {
        name: statistics.median(us / base for us, base in zip(took, off, strict=True)) for name, took in runs.items()
    }
    for name, took in runs.items():
        print(f"{name:<10}{statistics.median(took):7.0f} us   {ratios[name] * 100 - 100:+6.1f} %")
    good = ratios["10 %"] <= 1.15
    apart = abs(ratios["off again"] - ratios["off"])
    print(f"goal: 10 % costs at most 15 %; two sides that are off differ by {apart:.1%}")
    return good
