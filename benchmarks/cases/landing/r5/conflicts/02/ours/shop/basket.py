class Basket:
    def __init__(self, owner):
        self.owner = owner
        self._lines = []

    def add(self, sku, price, count=1):
        self._lines.append((sku, price, count))

    def __len__(self):
        return sum(count for _sku, _price, count in self._lines)

    def total(self):
        return sum(price * count for _sku, price, count in self._lines)
