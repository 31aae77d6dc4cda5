"""Signals: things happen in the house, others want to know."""


class Signal:
    def __init__(self):
        self._receivers = []

    def connect(self, receiver):
        self._receivers.append(receiver)

    def send(self, **what):
        for receiver in list(self._receivers):
            receiver(**what)
