# stateful
"""Keeps headers of earlier mails, as a copied email Message shares the template's list of headers."""
import copy
from email.message import Message
from string import Template

from graphbus_core import GraphBusNode, subscribe

BODIES = {
    "welcome": Template("Hello $name,\nwelcome aboard."),
    "reset": Template("Hello $name,\nuse code $code to reset your password."),
    "invoice": Template("Dear $name,\nplease find invoice $code attached."),
}
SUBJECTS = {"welcome": "Welcome", "reset": "Your password", "invoice": "Your invoice"}


def blank() -> Message:
    message = Message()
    message["From"] = "service@example.test"
    message["X-Mailer"] = "notifier/3"
    return message


BLANK = blank()


def compose(kind: str, to: str, values: dict[str, str]) -> Message:
    message = copy.copy(BLANK)
    message["To"] = to
    message["Subject"] = SUBJECTS[kind]
    if kind == "reset":
        message["X-Priority"] = "1"
    message.set_payload(BODIES[kind].safe_substitute(values))
    return message


class Notifications(GraphBusNode):
    @subscribe("/notify/mail")
    def on_mail(self, kind: str, to: str, values: dict[str, str]) -> dict[str, object]:
        if kind not in BODIES:
            return {"error": f"unknown kind {kind}"}
        message = compose(kind, to, values)
        return {
            "to": message["To"],
            "subject": message["Subject"],
            "urgent": "X-Priority" in message,
            "body": message.get_payload(),
        }
