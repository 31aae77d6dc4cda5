"""Sending mail through a transport."""


class Mailer:
    def __init__(self, transport, sender):
        self.transport = transport
        self.sender = sender

    def send(self, to, subject, body, dry_run=True):
        """Return the text of the mail; hand it to the transport only when dry_run is off."""
        text = f"From: {self.sender}\nTo: {to}\nSubject: {subject}\n\n{body}"
        if not dry_run:
            self.transport(to, text)
        return text
