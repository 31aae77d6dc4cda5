# stateful
"""Types that an upload declares are added to the process-wide table of the mimetypes module and serve later uploads."""
import mimetypes
import os.path
import re

from graphbus_core import GraphBusNode, subscribe

TYPE = re.compile(r"^[a-z]+/[a-z0-9.+-]+$")
INLINE = ("image/", "text/plain", "application/pdf")


def content_type(filename: str, declared: str) -> str:
    guessed, encoding = mimetypes.guess_type(filename)
    if encoding:
        return "application/octet-stream"
    if guessed:
        return guessed
    extension = os.path.splitext(filename)[1].lower()
    if extension and TYPE.match(declared):
        mimetypes.add_type(declared, extension)
        return declared
    return "application/octet-stream"


class Uploads(GraphBusNode):
    @subscribe("/uploads/new")
    def on_upload(self, filename: str, declared: str, size: int) -> dict[str, object]:
        kind = content_type(filename, declared.lower())
        return {
            "file": os.path.basename(filename),
            "type": kind,
            "disposition": "inline" if kind.startswith(INLINE) and size < 5_000_000 else "attachment",
        }
