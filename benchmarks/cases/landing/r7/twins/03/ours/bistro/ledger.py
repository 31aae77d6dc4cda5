class Ledger:
    def __init__(self, bus):
        self.takings = 0.0
        bus.subscribe("table.closed", self.on_closed)

    def on_closed(self, payload):
        self.takings += payload["total"]
