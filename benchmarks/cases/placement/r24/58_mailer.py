# stateful
"""The message object is reused; assigning a header adds a line instead of replacing it."""
from email.message import Message
from email.utils import formataddr, parseaddr

from graphbus_core import GraphBusNode, subscribe

SENDER = formataddr(("Billing", "billing@example.org"))


def base_message():
    msg = Message()
    msg["From"] = SENDER
    msg["MIME-Version"] = "1.0"
    return msg


class Mailer(GraphBusNode):
    def __init__(self):
        super().__init__()
        self._template = base_message()

    def _compose(self, to, subject, urgent):
        msg = self._template
        if urgent:
            msg["X-Priority"] = "1"
            subject = subject.upper() + "!"
        msg["To"] = to
        del msg["Subject"]
        msg["Subject"] = subject
        msg.set_payload(f"Dear {to.split('@')[0]},\n\nsee our letter.\n")
        return msg

    @subscribe("/letters/out")
    def on_letter(self, to: str, subject: str, urgent: bool) -> dict:
        if "@" not in parseaddr(to)[1]:
            return {"sent": False}
        wire = self._compose(to, subject, urgent).as_string()
        head, _, body = wire.partition("\n\n")
        return {"sent": True, "headers": head.splitlines(), "size": len(body)}
