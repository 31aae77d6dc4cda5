# stateful
"""Every so often a lorry is opened; the same lorry is not opened twice."""

from graphbus_core import GraphBusNode, subscribe

_opened = {}


def _remember(plate, day):
    _opened[plate] = day


def _was_opened(plate):
    return plate in _opened


class Customs(GraphBusNode):
    @subscribe("/Border/Lorry")
    def on_lorry(self, payload):
        plate = payload["plate"]
        if not _was_opened(plate):
            _remember(plate, payload["day"])
            self.publish("/Border/Open", {"plate": plate})
