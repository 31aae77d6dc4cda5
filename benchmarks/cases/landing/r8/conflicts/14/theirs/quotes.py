# price quotes, each price worked out once
from pricing import basket


class Quotes:
    def __init__(self, pricer):
        self.pricer = pricer
        self.memo = {}
        self.hits = 0

    def price(self, sku):
        if sku in self.memo:
            self.hits += 1
        else:
            self.memo[sku] = self.pricer.gross(sku)
        return self.memo[sku]

    def text(self, sku, n):
        return "%d x %s: %.2f" % (n, sku, self.price(sku) * n / 100)

    def total(self, items):
        return basket(self.pricer, items)
