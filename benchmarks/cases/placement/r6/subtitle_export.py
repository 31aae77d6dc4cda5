# stateful
"""The incremental UTF-16 encoder writes its byte order mark only before the first text it is given."""
import base64
import codecs

from graphbus_core import GraphBusNode, subscribe


def timestamp(ms: int) -> str:
    seconds, ms = divmod(ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02},{ms:03}"


class SubtitleExport(GraphBusNode):
    """Turns one caption into the bytes the old player wants."""

    ENCODING = "utf-16"

    def __init__(self) -> None:
        super().__init__()
        self._encoder = codecs.getincrementalencoder(self.ENCODING)(errors="replace")

    @subscribe("/caption")
    def on_caption(self, start_ms: int, end_ms: int, text: str) -> dict[str, object]:
        if end_ms <= start_ms:
            return {"error": "empty span"}
        block = f"{timestamp(start_ms)} --> {timestamp(end_ms)}\r\n{text.strip()}\r\n\r\n"
        data = self._encoder.encode(block)
        return {"size": len(data), "body": base64.b64encode(data).decode("ascii")}
