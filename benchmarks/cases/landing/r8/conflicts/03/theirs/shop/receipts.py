"""Receipts are printed for every paid order."""


class ReceiptPrinter(object):
    """Collects the receipt lines that go to the printer."""

    def __init__(self):
        self.lines = []

    def on_order_paid(self, event):
        """Handle ``order.paid``."""
        total = event["total"]
        whole, cents = divmod(total["value"], 100)
        self.lines.append("%s: %d.%02d %s" % (event["order_id"], whole, cents, total["currency"]))
