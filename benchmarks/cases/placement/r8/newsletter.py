# stateful
"""Keeps all earlier recipients: setting a header on the shared Message adds another one."""
import re
from email.message import Message
from email.utils import formataddr

from graphbus_core import GraphBusNode, subscribe

ADDRESS = re.compile(r"^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")
GREETING = {"en": "Hello", "de": "Hallo", "fr": "Bonjour"}


def body_for(name: str, language: str) -> str:
    word = GREETING.get(language, GREETING["en"])
    return f"{word} {name},\n\nour news of the week.\n"


class Envelope:
    def __init__(self, sender: str) -> None:
        self.message = Message()
        self.message["From"] = sender
        self.message["Subject"] = "Weekly news"

    def address(self, name: str, mail: str) -> "Envelope":
        self.message["To"] = formataddr((name, mail))
        return self

    def fill(self, body: str) -> "Envelope":
        self.message.set_payload(body)
        return self


class Newsletter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.envelope = Envelope("news@example.org")

    @subscribe("/Subscribers/Due")
    def on_due(self, name: str, mail: str, language: str) -> dict[str, str]:
        if not ADDRESS.match(mail):
            return {"skipped": mail}
        sent = self.envelope.address(name, mail).fill(body_for(name, language))
        return {"raw": sent.message.as_string()}
