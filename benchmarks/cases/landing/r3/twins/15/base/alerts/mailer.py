"""Mail over a transport: callable(to, text) -> bool."""


class Mailer:
    def __init__(self, transport, sender="alerts"):
        self.transport = transport
        self.sender = sender
        self.sent = 0

    def compose(self, to, subject, body):
        return f"From: {self.sender}\nTo: {to}\nSubject: {subject}\n\n{body}"

    def send(self, to, subject, body):
        """Return whether the transport took the mail."""
        taken = self.transport(to, self.compose(to, subject, body))
        self.sent += bool(taken)
        return bool(taken)
