# pure
"""Keeps a MimeTypes table of its own, filled at start and only read afterwards."""
import mimetypes
from functools import singledispatchmethod
from pathlib import PurePosixPath

from graphbus_core import GraphBusNode, subscribe

EXTRA = {".blend": "model/x-blender", ".heic": "image/heic", ".opus": "audio/opus"}
BINS = {"image": "thumbs", "video": "transcode", "audio": "waveform", "text": "index", "model": "render"}


class Table:
    def __init__(self, extra: dict[str, str]) -> None:
        self._types = mimetypes.MimeTypes(filenames=())
        for ext, mime in extra.items():
            self._types.add_type(mime, ext)

    @singledispatchmethod
    def kind(self, path: object) -> str:
        raise TypeError(type(path).__name__)

    @kind.register
    def _(self, path: str) -> str:
        return self.kind(PurePosixPath(path))

    @kind.register
    def _(self, path: PurePosixPath) -> str:
        guess, _ = self._types.guess_type(path.name.lower())
        return guess or "application/octet-stream"


class MediaRouter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.table = Table(EXTRA)

    @subscribe("/Media/Upload")
    def on_upload(self, path: str, size: int) -> dict[str, object]:
        mime = self.table.kind(path)
        target = BINS.get(mime.partition("/")[0], "archive")
        priority = "low" if size > 10_000_000 else "normal"
        return {"mime": mime, "queue": f"{target}-{priority}", "stem": PurePosixPath(path).stem}
