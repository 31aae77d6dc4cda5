"""Something worth a journal."""


class Stock:
    def __init__(self, journal):
        self.journal = journal
        self.items = {}

    def change(self, who, item, count):
        self.items[item] = self.items.get(item, 0) + count
        self.journal.write(who, "change", f"{item} {count:+d}")
        return self.items[item]
