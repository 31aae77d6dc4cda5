"""Receipts are printed for every paid order."""


class ReceiptPrinter(object):
    """Collects the receipt lines that go to the printer."""

    def __init__(self):
        self.lines = []

    def on_order_paid(self, event):
        """Handle ``order.paid``."""
        amount = event["amount"]
        self.lines.append("%s: %d.%02d" % (event["order_id"], amount // 100, amount % 100))
