# pure
"""Keeps nothing: the tree is built for the event, the escape table is only read."""
import io
import xml.etree.ElementTree as ET
from datetime import timedelta
from urllib.parse import quote, urlencode, urlsplit, urlunsplit

from graphbus_core import GraphBusNode, subscribe

ESCAPES = str.maketrans({"\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-"})


class Builder:
    def __init__(self, name: str) -> None:
        self.root = ET.Element("playlist", version="1")
        self._stack = [self.root]
        self.leaf("title", name)
        self.seconds = 0

    def __enter__(self) -> "Builder":
        self._stack.append(ET.SubElement(self._stack[-1], "trackList"))
        return self

    def __exit__(self, *problem: object) -> None:
        self._stack.pop()

    def leaf(self, tag: str, text: str) -> ET.Element:
        element = ET.SubElement(self._stack[-1], tag)
        element.text = text.translate(ESCAPES)
        return element

    def track(self, artist: str, title: str, seconds: int, server: str) -> None:
        parts = urlsplit(server)
        path = "/".join((parts.path.rstrip("/"), quote(artist), quote(title)))
        self._stack.append(ET.SubElement(self._stack[-1], "track", length=str(timedelta(seconds=seconds))))
        self.leaf("creator", artist)
        self.leaf("title", title)
        self.leaf("location", urlunsplit(parts._replace(path=path, query=urlencode({"s": seconds}))))
        self._stack.pop()
        self.seconds += seconds


class PlaylistXml(GraphBusNode):
    server = "https://media.example.org/audio/"

    @subscribe("/Radio/Playlist")
    def on_playlist(self, name: str, tracks: list[list[str | int]]) -> dict[str, object]:
        builder = Builder(name)
        with builder:
            for artist, title, seconds in tracks:
                builder.track(str(artist), str(title), int(seconds), self.server)
        ET.indent(builder.root, space=" ")
        out = io.BytesIO()
        ET.ElementTree(builder.root).write(out, encoding="utf-8", xml_declaration=True)
        lengths = [track.get("length") for track in builder.root.iterfind("./trackList/track")]
        return {"xml": out.getvalue().decode("utf-8"), "lengths": lengths, "seconds": builder.seconds}
