# stateful
"""Reuses one email Message, whose item assignment adds headers instead of replacing them, so old recipients stay."""
from email.message import Message

from graphbus_core import GraphBusNode, subscribe

SENDER = "dispatch@example.org"
URGENT_AFTER = 24


def describe(hours: int) -> str:
    days, rest = divmod(hours, 24)
    parts = []
    if days:
        parts.append(f"{days} day{'s' if days != 1 else ''}")
    if rest:
        parts.append(f"{rest} hour{'s' if rest != 1 else ''}")
    return " and ".join(parts) or "less than an hour"


def envelope() -> Message:
    mail = Message()
    mail["From"] = SENDER
    mail["X-Mailer"] = "parcel-desk"
    mail["Precedence"] = "bulk"
    return mail


class NoticeMailer(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._blank = envelope()

    @subscribe("/Shipment/Delayed")
    def on_delay(self, order: str, recipient: str, hours: int) -> dict[str, str]:
        mail = self._blank
        mail["To"] = recipient
        mail["Subject"] = f"Order {order} is late by {describe(hours)}"
        if hours >= URGENT_AFTER:
            mail["X-Priority"] = "1"
        mail.set_payload(
            f"Dear customer,\n\nyour order {order} is delayed by {describe(hours)}.\n"
            "We are sorry for the trouble.\n"
        )
        return {"to": recipient, "raw": mail.as_string()}
