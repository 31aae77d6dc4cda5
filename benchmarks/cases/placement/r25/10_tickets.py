# stateful
"""Keeps the optional fields of earlier tickets in the blank row, which is filled without being copied."""
from graphbus_core import GraphBusNode, subscribe

BLANK = {
    "subject": "",
    "priority": "normal",
    "team": "frontdesk",
    "tags": "",
}

KEYWORDS = (
    ("refund", "team", "billing"),
    ("invoice", "team", "billing"),
    ("crash", "team", "engineering"),
    ("urgent", "priority", "high"),
    ("angry", "priority", "high"),
)


def new_row():
    row = BLANK
    return row


def fill(row, subject, tags):
    row["subject"] = subject.strip().capitalize()
    row["tags"] = ",".join(sorted(t.lower() for t in tags))
    lowered = subject.lower()
    for word, field, value in KEYWORDS:
        if word in lowered:
            row[field] = value


def as_line(row):
    return " | ".join(row[k] for k in ("priority", "team", "subject", "tags"))


class TicketIntake(GraphBusNode):
    @subscribe("/tickets/raw")
    def intake(self, subject: str, tags: list[str]) -> dict[str, str]:
        row = new_row()
        fill(row, subject, tags)
        return {"line": as_line(row)}
