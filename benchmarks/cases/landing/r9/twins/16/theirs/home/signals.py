"""Signals: things happen in the house, others want to know."""
import inspect
import weakref


class Signal:
    def __init__(self):
        self._receivers = []

    def connect(self, receiver):
        """A bound method does not keep its object alive: screens come and go."""
        if inspect.ismethod(receiver):
            self._receivers.append(weakref.WeakMethod(receiver))
        else:
            self._receivers.append(lambda: receiver)

    def send(self, **what):
        for reference in list(self._receivers):
            receiver = reference()
            if receiver is None:
                self._receivers.remove(reference)
            else:
                receiver(**what)
