# pure
"""Each receipt is a message of its own, copied from a template that nobody writes to."""
import copy
from email.message import EmailMessage
from email.policy import SMTP

from graphbus_core import GraphBusNode, subscribe


def blank() -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"] = "Shop <receipts@example.org>"
    message["Auto-Submitted"] = "auto-generated"
    message["Subject"] = "Your receipt"
    return message


class ReceiptMail(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._blank = blank()

    @subscribe("/payment/settled")
    def on_settled(self, to: str, reference: str, cents: int, lines: list[str]) -> dict[str, str]:
        mail = copy.deepcopy(self._blank)
        mail["To"] = to
        mail.replace_header("Subject", f"Receipt {reference}")
        body = "".join(f"- {line}\n" for line in lines)
        mail.set_content(f"We received {cents // 100}.{cents % 100:02d} EUR for:\n{body}")
        if cents > 100_00:
            mail["X-Priority"] = "2"
        return {"to": to, "raw": mail.as_string()}
