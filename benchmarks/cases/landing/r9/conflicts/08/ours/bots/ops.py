from bots.bot import Bot


class OpsBot(Bot):
    """Says how the service is doing; operators may also restart it."""

    operators = {"kim", "lee"}

    def __init__(self, clock, service):
        super().__init__(clock)
        self.service = service

    def _allowed(self, sender):
        return sender in self.operators

    def respond(self, sender, text):
        if text == "status":
            return "up" if self.service.up else "down"
        if text == "restart":
            if not self._allowed(sender):
                return "Ask an operator."
            self.service.restart()
            return "Restarted."
        return super().respond(sender, text)
