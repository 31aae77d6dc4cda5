# pure
"""A new message for every receipt, from constant templates."""
from email.message import EmailMessage
from email.utils import formataddr
from string import Template

from graphbus_core import GraphBusNode, subscribe

_SUBJECTS = {"en": "Your receipt $number", "de": "Ihre Quittung $number"}
_BODIES = {
    "en": "Hello $name,\n\nwe received $amount.\n",
    "de": "Guten Tag $name,\n\nwir haben $amount erhalten.\n",
}
_SENDER = formataddr(("Shop", "shop@example.org"))


def money(cents: int, language: str) -> str:
    whole, rest = divmod(cents, 100)
    return f"{whole},{rest:02d} €" if language == "de" else f"€{whole}.{rest:02d}"


def receipt(name: str, address: str, number: str, cents: int, language: str) -> EmailMessage:
    language = language if language in _BODIES else "en"
    values = {"name": name, "number": number, "amount": money(cents, language)}
    mail = EmailMessage()
    mail["From"] = _SENDER
    mail["To"] = formataddr((name, address))
    mail["Subject"] = Template(_SUBJECTS[language]).substitute(values)
    mail["Content-Language"] = language
    mail.set_content(Template(_BODIES[language]).substitute(values))
    return mail


class ReceiptMail(GraphBusNode):
    @subscribe("/Payment/Settled")
    def on_event(
        self, name: str, address: str, number: str, cents: int, language: str
    ) -> dict[str, str]:
        mail = receipt(name, address, number, cents, language)
        return {"to": mail["To"], "subject": mail["Subject"], "text": mail.get_content()}
