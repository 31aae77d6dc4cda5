"""Wiring of the shop."""
from shop.bus import EventBus
from shop.orders import OrderService
from shop.receipts import ReceiptPrinter


class Application(object):
    """Holds the services of one shop."""

    def __init__(self):
        self.bus = EventBus()
        self.orders = OrderService(self.bus)
        self.receipts = ReceiptPrinter()
        self.bus.subscribe("order.paid", self.receipts.on_order_paid)
