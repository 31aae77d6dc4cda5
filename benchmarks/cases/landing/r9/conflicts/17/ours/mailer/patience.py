"""How long to try a mail again before it goes back to the author."""


class Patience:
    def __init__(self, settings, tries=5):
        self.timeout = settings.get("smtp.timeout", 30)
        self.tries = tries

    def pauses(self):
        """Seconds before every new try, doubling from one timeout on."""
        return [self.timeout * 2 ** n for n in range(self.tries - 1)]

    def at_most(self):
        return sum(self.pauses()) + self.tries * self.timeout
