"""Statements on paper."""


class Statement(object):
    """Formats the ledger."""

    def __init__(self, ledger):
        self._ledger = ledger

    def lines(self):
        """Return the lines of the statement."""
        return self._ledger.texts() + ["balance %.2f" % (self._ledger.balance() / 100.0)]
