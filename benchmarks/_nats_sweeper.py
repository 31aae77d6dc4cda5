"""What the sweeper costs: a look at every consumer, and the note of each outcome, beside what handling costs."""

from __future__ import annotations

import asyncio
import time

from benchmarks._nats_sides import Ours, Sink, measured
from graphbus_core import Event, GraphBusNode, subscribe
from graphbus_core.runtime.transports.nats.outcomes import OutcomeLog, build_outcome
from graphbus_core.runtime.transports.nats.space import SpaceNames
from graphbus_core.runtime.transports.nats.sweeper import SWEEPS_IN_A_WAIT
from tests.runtime.nats_server import NatsServer

GOAL = 0.02  # of the processor time
CONSUMERS, LOOKS, NOTES, EVENTS = 20, 100, 200_000, 2_000
REPLY = "$JS.ACK.orders.Sink-on_created-Order-Created-0123456789.1.1234567.1234567.1700000000000000000.63"


def _make_nodes() -> type[GraphBusNode]:
    handlers = {}
    for number in range(CONSUMERS - 1):

        def handle(self: GraphBusNode, event: Event) -> None:
            """Nothing: it is looked at, and not handed events."""

        handlers[f"on_{number}"] = subscribe(f"/Topic/{number}")(handle)
    return type("Many", (Sink,), handlers)


def sweeper() -> bool:
    """The cost of a look and of a note; both together as a share of a process that handles events all the time."""
    with NatsServer() as server:
        ours = Ours(server, "swept", _make_nodes())
        bus, watched = ours.runtime.bus, ours.transport._sweeper
        assert bus is not None
        assert watched is not None
        handling_us = min(measured(ours, "pipelined", EVENTS).cpu_us for _ in range(3))

        async def look() -> float:
            began = time.process_time()
            for _ in range(LOOKS):
                await watched.sweep()
            return (time.process_time() - began) / LOOKS

        look_s = min(bus.home.wait_for(look()) for _ in range(3))
        interval_s = ours.transport.settings.ack_wait_s / SWEEPS_IN_A_WAIT
        ours.close()
    # A reply was taken apart before it is noted, by who asks how often its message was given out: so it is one here.
    noted = OutcomeLog(None, None, SpaceNames(), 1.0)
    began = time.process_time()
    for number in range(NOTES):
        noted.note("sink", build_outcome(REPLY, f"event_0123456789abcdef_1_{number}"))
    asyncio.run(noted.write(first_stored=2_000_000))  # none of these is stored any more, as where a space keeps up
    note_us = (time.process_time() - began) / NOTES * 1e6
    share = look_s / interval_s + note_us / handling_us
    print(
        f"\nsweeper: a look at {CONSUMERS} consumers takes {look_s * 1e3:.1f} ms of processor, every {interval_s:g} s:"
    )
    print(f"{look_s / interval_s:.2%}; a note {note_us:.2f} us beside {handling_us:.0f} us of an event, pipelined:")
    print(f"{note_us / handling_us:.2%}; together {share:.2%} (goal <= {GOAL:.0%})")
    return share <= GOAL
