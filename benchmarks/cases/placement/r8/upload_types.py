# stateful
"""Keeps file types that events registered, in the table of the mimetypes module."""
import mimetypes
import posixpath
import re

from graphbus_core import GraphBusNode, subscribe

NAME = re.compile(r"^\.[a-z0-9]{1,8}$")
INLINE = ("image/", "text/", "application/pdf")


def disposition(mime: str) -> str:
    return "inline" if mime.startswith(INLINE) else "attachment"


def clean(path: str) -> str:
    return posixpath.basename(path.replace("\\", "/")).lower()


def guess(path: str) -> str:
    kind, encoding = mimetypes.guess_type(clean(path), strict=True)
    if encoding is not None:
        return f"application/x-{encoding}"
    return kind or "application/octet-stream"


class UploadTypes(GraphBusNode):
    @subscribe("/Plugins/Announced")
    def on_announced(self, plugin: str, extension: str, mime: str) -> dict[str, object]:
        ext = extension.lower()
        if not NAME.match(ext) or "/" not in mime:
            return {"plugin": plugin, "ok": False}
        mimetypes.add_type(mime, ext)
        return {"plugin": plugin, "ok": True}

    @subscribe("/Uploads/Received")
    def on_received(self, path: str) -> dict[str, str]:
        mime = guess(path)
        return {"path": clean(path), "mime": mime, "disposition": disposition(mime)}
