# pure
"""Prepares notices as e-mail text."""
from graphbus_core import GraphBusNode, subscribe
import logging
from email.headerregistry import Address
from email.message import EmailMessage

log = logging.getLogger(__name__)


class MailNode(GraphBusNode):
    @subscribe("/In")
    def on_notice(self, event):
        user, _, domain = event["to"].partition("@")
        mail = EmailMessage()
        mail["To"] = Address(user.title(), user, domain)
        mail["Subject"] = event["subject"]
        mail.set_content("\n".join(event["lines"]) or "-")
        log.debug("notice for %s, %d lines", user, len(event["lines"]))
        return {"to": str(mail["To"]), "body": mail.get_content(), "total": len(mail.get_content())}
