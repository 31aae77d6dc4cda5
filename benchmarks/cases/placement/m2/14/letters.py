import copy
from email.message import EmailMessage
from email.policy import SMTP

from graphbus_core import GraphBusNode, subscribe

FORM = EmailMessage(policy=SMTP)
FORM["From"] = "claims@mutual.example"
FORM["Auto-Submitted"] = "auto-generated"


class DecisionLetter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Claims/Decision/Made")
    def write(self, to: str, claim: str, granted: bool, reasons: list) -> dict[str, str]:
        mail = copy.deepcopy(FORM)
        mail["To"] = to
        mail["Subject"] = f"Your claim {claim}"
        body = ["We will pay." if granted else "We cannot pay."] + [f"- {r}" for r in reasons]
        mail.set_content("\n".join(body))
        return {"mail": mail.as_string()}
