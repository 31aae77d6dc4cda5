# stateful
"""Keeps the recipients: assigning to a Message header appends a line to the shared template, it does not replace."""
from email.message import Message

from graphbus_core import GraphBusNode, subscribe


def _template() -> Message:
    mail = Message()
    mail["From"] = "support@example.org"
    mail["Auto-Submitted"] = "auto-replied"
    return mail


_REPLY = _template()


class AutoReply(GraphBusNode):
    @subscribe("/Mail/Received")
    def on_event(self, sender: str, subject: str) -> dict[str, str]:
        _REPLY["To"] = sender
        _REPLY["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
        _REPLY.set_payload("We have received your message.\n")
        return {"to": _REPLY["To"], "subject": _REPLY["Subject"]}
