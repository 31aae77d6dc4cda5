"""A chat bot: gets (sender, text), gives back what to say."""


class Bot:
    def __init__(self, clock):
        self.clock = clock
        self.heard = 0

    def handle(self, sender: str, text: str) -> str:
        self.heard += 1
        return self.respond(sender, text.strip())

    def respond(self, sender: str, text: str) -> str:
        return "I do not understand."
