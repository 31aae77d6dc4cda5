# stateful
"""Teaches the process-wide table of file types a new ending when an event names one, and later attachments are judged by it."""
import mimetypes
from pathlib import PurePosixPath
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

mimetypes.init(files=[])

DESKS = {"image": "photo desk", "text": "copy desk", "audio": "radio desk", "video": "video desk"}


class Attachment(NamedTuple):
    path: PurePosixPath
    declared: str

    @property
    def kind(self) -> str:
        guessed, _ = mimetypes.guess_type(self.path.name)
        return guessed or "application/octet-stream"

    @property
    def is_declared(self) -> bool:
        return self.declared.count("/") == 1 and bool(self.path.suffix)


def learn(attachment: Attachment) -> Attachment:
    """Believes the sender where the table knows nothing."""
    if attachment.is_declared and attachment.kind == "application/octet-stream":
        mimetypes.add_type(attachment.declared.lower(), attachment.path.suffix.lower())
    return attachment


class MailRoom(GraphBusNode):
    @subscribe("/Mail/Attachment")
    def on_attachment(self, mail: int, name: str, declared: str) -> dict[str, object]:
        attachment = learn(Attachment(PurePosixPath(name), declared))
        major = attachment.kind.partition("/")[0]
        return {"mail": mail, "kind": attachment.kind, "desk": DESKS.get(major, "secretary")}
