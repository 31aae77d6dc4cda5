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
            "total_cents": round(self.total() * 100),
        })
        self.lines.clear()
