# pure
"""Keeps the template message, but fills a deep copy of it for every parcel."""
import copy
import textwrap
from email.message import EmailMessage
from string import Template

from graphbus_core import GraphBusNode, subscribe

BODY = Template("Dear $name, your parcel $code leaves today with $carrier. It should arrive within $days days.")
CARRIERS = {"DE": ("Post", 2), "FR": ("Colis", 3), "US": ("Air", 7)}


def blank(sender: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = sender
    message["Subject"] = "Your parcel"
    return message


def fill(message: EmailMessage, to: str, text: str) -> EmailMessage:
    message["To"] = to
    message.replace_header("Subject", f"Your parcel for {to.partition('@')[0]}")
    message.set_content(textwrap.fill(text, 40))
    return message


class ShippingNotice(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.blank = blank("shop@example.org")

    @subscribe("/Parcels/Sent")
    def on_sent(self, code: str, name: str, mail: str, country: str) -> dict[str, object]:
        if country not in CARRIERS:
            return {"mail": None, "why": f"no carrier for {country}"}
        carrier, days = CARRIERS[country]
        text = BODY.substitute(name=name, code=code, carrier=carrier, days=days)
        message = fill(copy.deepcopy(self.blank), mail, text)
        return {"mail": message.as_string(), "why": ""}
