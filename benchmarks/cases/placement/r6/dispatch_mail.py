# stateful
"""One Message is filled again and again, and setting a header on a Message adds a line instead of replacing it."""
from email.message import Message
from email.utils import formataddr

from graphbus_core import GraphBusNode, subscribe

SENDER = formataddr(("Warehouse", "warehouse@example.org"))


def letterhead() -> Message:
    message = Message()
    message["From"] = SENDER
    message["MIME-Version"] = "1.0"
    message["Content-Type"] = 'text/plain; charset="us-ascii"'
    return message


class DispatchMail(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._letter = letterhead()

    def _compose(self, to: str, parcel: str, pieces: int) -> str:
        letter = self._letter
        letter["To"] = to
        letter["Subject"] = f"Parcel {parcel} is on its way"
        noun = "piece" if pieces == 1 else "pieces"
        letter.set_payload(f"{pieces} {noun} left our dock.\n")
        return letter.as_string()

    @subscribe("/parcel/dispatched")
    def on_dispatched(self, to: str, parcel: str, pieces: int) -> dict[str, str]:
        if "@" not in to:
            return {"skipped": parcel}
        return {"to": to, "raw": self._compose(to, parcel, pieces)}
