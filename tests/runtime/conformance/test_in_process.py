"""The suite over the transports in one process: none at all, and a hub shared by several runtimes."""

import pytest

from graphbus_core.runtime.transports.in_process import Hub, InProcess
from tests.runtime.conformance.suite import BrokerSuite, TransportSuite
from tests.runtime.conformance.world import World


class Alone(World):
    """All nodes in one runtime."""

    spread = False

    def transport(self):
        return InProcess()

    def dead_letters(self, runtimes):
        return [(one.subscriber, one.event["payload"]) for runtime in runtimes for one in runtime.bus.dead_letters]


class Shared(World):
    """Several runtimes on one hub."""

    def __init__(self):
        self.hub = Hub()

    def transport(self):
        return InProcess(self.hub)

    def dead_letters(self, runtimes):
        return [(one.durable.split()[0], one.event.payload) for one in self.hub.letters]


class TestInOneRuntime(TransportSuite):
    """`RuntimeExecutor(folder)`, with nothing else said."""

    @pytest.fixture
    def world(self):
        return Alone()


class TestOverAHub(BrokerSuite):
    """`RuntimeExecutor(folder, transport=InProcess(hub))`."""

    @pytest.fixture
    def world(self):
        return Shared()
