# stateful
"""Stores attachments in a scratch folder of its own and picks a free name, which depends on the files already there."""
import re
import tempfile
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def _safe(name: str) -> str:
    return _UNSAFE.sub("_", name.strip()).lstrip(".") or "unnamed"


def _candidates(name: str):
    yield name
    stem, suffix = Path(name).stem, Path(name).suffix
    number = 2
    while True:
        yield f"{stem}-{number}{suffix}"
        number += 1


class AttachmentNames(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._scratch = tempfile.TemporaryDirectory(prefix="attach-")

    def _free(self, name: str) -> Path:
        folder = Path(self._scratch.name)
        return next(p for p in (folder / c for c in _candidates(name)) if not p.exists())

    @subscribe("/Mail/Attachment")
    def on_attachment(self, name: str, content: str) -> dict:
        path = self._free(_safe(name))
        size = path.write_text(content, encoding="utf-8")
        return {"stored": path.name, "size": size}
