# stateful
"""linecache keeps the lines of the first upload, though the file under that name is rewritten by every event."""
import linecache
import os
import tempfile

from graphbus_core import GraphBusNode, subscribe


def folder() -> str:
    return tempfile.mkdtemp(prefix="upload-")


def store(path: str, text: str) -> int:
    with open(path, "w", encoding="utf-8") as handle:
        return handle.write(text)


def around(path: str, line: int, span: int = 1) -> list[str]:
    shown = []
    for number in range(max(line - span, 1), line + span + 1):
        content = linecache.getline(path, number)
        if content:
            mark = ">" if number == line else " "
            shown.append(f"{mark}{number:3d} {content.rstrip()}")
    return shown


class UploadExcerpt(GraphBusNode):
    """Shows the customer the lines around the one that could not be imported."""

    def __init__(self) -> None:
        super().__init__()
        self._path = os.path.join(folder(), "current.csv")

    @subscribe("/Upload/Failed")
    def on_failed(self, upload: str, text: str, line: int) -> dict[str, object]:
        size = store(self._path, text)
        return {"upload": upload, "size": size, "excerpt": around(self._path, line)}
