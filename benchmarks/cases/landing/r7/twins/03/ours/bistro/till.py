class Table:
    def __init__(self, number, guests, card=None):
        self.number = number
        self.guests = guests
        self.card = card
        self.lines = []

    def order(self, dish, price):
        self.lines.append((dish, price))

    def total(self):
        return sum(price for _, price in self.lines)

    def close(self, bus):
        bus.publish("table.closed", {
            "table": self.number,
            "guests": self.guests,
            "card": self.card,
            "total": round(self.total(), 2),
        })
        self.lines.clear()
