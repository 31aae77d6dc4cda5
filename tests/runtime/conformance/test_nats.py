"""The suite over NATS: the same sentences, each in a space of its own on one server."""

import itertools

import pytest

from graphbus_core.runtime.transports.nats.connection import BusSettings
from graphbus_core.runtime.transports.nats.dead_letters import BusDeadLetters
from graphbus_core.runtime.transports.nats.transport import NatsTransport
from tests.runtime.conformance.suite import BrokerSuite
from tests.runtime.conformance.world import World
from tests.runtime.nats_server import NatsServer, needs_nats

_numbers = itertools.count(1)


class OverNats(World):
    """Runtimes on one space."""

    def __init__(self, server):
        self.settings = BusSettings(server.url(f"t{next(_numbers)}"))

    def transport(self):
        return NatsTransport(self.settings)

    def dead_letters(self, runtimes):
        return [(one.subscriber, one.event["payload"]) for one in BusDeadLetters(self.settings).list_all()]


@pytest.fixture(scope="module")
def server():
    with NatsServer() as one:
        yield one


@needs_nats
class TestOverNats(BrokerSuite):
    """`RuntimeExecutor(folder, transport=NatsTransport(url))`."""

    @pytest.fixture
    def world(self, server):
        return OverNats(server)
