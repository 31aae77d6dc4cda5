class Basket:
    def __init__(self, owner):
        self.owner = owner
        self._lines = []

    def add(self, sku, price, count=1):
        self._lines.append((sku, price, count))

    def total(self):
        return sum(price * count for _sku, price, count in self._lines)
