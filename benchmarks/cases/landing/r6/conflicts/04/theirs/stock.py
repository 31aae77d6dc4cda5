class Stock:
    def __init__(self, levels):
        self.levels = {place: dict(items) for place, items in levels.items()}

    def count(self, place, sku):
        return self.levels.get(place, {}).get(sku, 0)

    def move(self, sku, qty, target, source="depot"):
        for place, change in ((source, -qty), (target, qty)):
            shelf = self.levels.setdefault(place, {})
            shelf[sku] = shelf.get(sku, 0) + change
