"""A chat bot: gets (sender, text), gives back what to say."""


class Bot:
    pause = 1.0  # seconds a sender has to leave between two messages

    def __init__(self, clock):
        self.clock = clock
        self.heard = 0
        self._last = {}

    def handle(self, sender: str, text: str) -> str:
        self.heard += 1
        if not self._in_time(sender):
            return "Slow down, please."
        return self.respond(sender, text.strip())

    def _in_time(self, sender: str) -> bool:
        now = self.clock()
        last = self._last.get(sender)
        self._last[sender] = now
        return last is None or now - last >= self.pause

    def respond(self, sender: str, text: str) -> str:
        return "I do not understand."
