from bots.bot import Bot


class Greeter(Bot):
    def respond(self, sender, text):
        if text.lower() in ("hi", "hello"):
            return f"Hello {sender}!"
        return super().respond(sender, text)
