from depot.exchange import ExchangeDesk
from depot.stock import OutOfStock


class ShelfStub:
    def __init__(self, full=True):
        self.on_hand = {}
        self.full = full
        self.calls = []

    def reserve(self, sku, qty, order):
        self.calls.append((sku, qty, order))
        if not self.full:
            raise OutOfStock(sku, qty, 0)


def test_swap_books_back_and_promises():
    shelf = ShelfStub()
    assert ExchangeDesk(shelf).swap("o7", "tee-m", "tee-l", 2) == "swap"
    assert shelf.on_hand == {"tee-m": 2}
    assert shelf.calls == [("tee-l", 2, "o7")]


def test_swap_refunds_when_sold_out():
    desk = ExchangeDesk(ShelfStub(full=False))
    assert desk.swap("o7", "tee-m", "tee-l", 2) == "refund"
    assert desk.refunds == [("o7", "tee-m", 2)]
