"""A log of closed accounts."""


class Audit:
    def __init__(self, team):
        self.lines = []
        team.on_close.append(self.closed)

    def closed(self, account):
        self.lines.append(f"closed {account.name}")
