"""Reloads under load lose nothing, double nothing, and keep each publisher's order. `benchmarks/reload.py` does 100."""

import os

import pytest

from tests.runtime.nats_server import NatsServer, needs_nats
from tests.runtime.reload.load import Load

RELOADS = int(os.environ.get("GRAPHBUS_RELOADS", "6"))


@pytest.mark.parametrize("asynchronous", [False, True], ids=["threads", "event loop"])
def test_nothing_is_lost_doubled_or_overtaken(tmp_path, asynchronous):
    outcome = Load(tmp_path, asynchronous=asynchronous).run(RELOADS)
    assert outcome.published > 0
    assert (outcome.lost, outcome.doubled, outcome.overtaken, outcome.dead) == (0, 0, 0, 0)
    assert outcome.handled == outcome.published, "the state of the stage is handed over, too"
    assert outcome.calls_kept == outcome.calls_made


@needs_nats
def test_over_nats_neither(tmp_path):
    """The transport's consumers, and the lease of the node with state, stay through a reload."""
    server = NatsServer()
    try:
        outcome = Load(tmp_path, publishers=2, rate=200, bus=server.url()).run(4)
    finally:
        server.close()
    assert outcome.published > 0
    assert (outcome.lost, outcome.doubled, outcome.overtaken, outcome.dead) == (0, 0, 0, 0)
    assert outcome.handled == outcome.published
    assert outcome.calls_kept == outcome.calls_made
