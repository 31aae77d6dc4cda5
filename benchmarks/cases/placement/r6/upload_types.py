# stateful
"""A declared type is added to the table of mimetypes, which is the process's and answers later uploads too."""
import mimetypes
import posixpath

from graphbus_core import GraphBusNode, subscribe

mimetypes.init(files=[])
INLINE = ("image/", "text/", "application/pdf")


def declared(name: str, content_type: str) -> str:
    kind = content_type.partition(";")[0].strip().lower()
    ext = posixpath.splitext(name)[1].lower()
    if kind.count("/") == 1 and ext:
        # so that the compressed variants of the file resolve as well
        mimetypes.add_type(kind, ext)
    return kind


class UploadTypes(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/upload/received")
    def on_received(self, name: str, content_type: str, size: int) -> dict[str, object]:
        if content_type:
            declared(name, content_type)
        kind, encoding = mimetypes.guess_type(name)
        kind = kind or "application/octet-stream"
        return {
            "name": posixpath.basename(name),
            "type": kind,
            "encoding": encoding,
            "inline": encoding is None and kind.startswith(INLINE) and size < 5_000_000,
        }
