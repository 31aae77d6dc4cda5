# stateful
"""One message object serves all letters; setting a header of email.message adds to the ones already there."""
from __future__ import annotations

import textwrap
from email.message import Message

from graphbus_core import GraphBusNode, subscribe

PARISHES = {"north": "St Olaf", "south": "St Bride", "hill": "All Saints"}
FOOTER = "-- \nSent by the parish office. Reply to leave the list."


def build_letter() -> Message:
    letter = Message()
    letter["From"] = "office@parish.example"
    letter["Precedence"] = "list"
    return letter


def fill_body(title: str, paragraphs: list[str]) -> str:
    blocks = [title.upper(), "=" * len(title)]
    blocks += [textwrap.fill(p, width=48) for p in paragraphs if p.strip()]
    return "\n\n".join([*blocks, FOOTER])


class Bulletin(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.letter = build_letter()

    def address(self, parish: str, title: str) -> None:
        self.letter["Subject"] = f"[{PARISHES.get(parish, 'Diocese')}] {title}"
        self.letter["To"] = f"{parish}@parish.example"

    @subscribe("/Office/Notice")
    def on_notice(self, parish: str, title: str, paragraphs: list[str]) -> dict[str, object]:
        self.address(parish, title)
        self.letter.set_payload(fill_body(title, paragraphs))
        return {"size": len(self.letter.get_payload()), "raw": self.letter.as_string()}
