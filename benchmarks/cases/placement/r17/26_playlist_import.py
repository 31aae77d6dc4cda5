# pure
"""Keeps nothing: reader, writer and sniffer belong to one event, and the module's dialect is registered once and for all."""
import csv
import io
from collections import Counter
from dataclasses import dataclass, fields
from datetime import timedelta

from graphbus_core import GraphBusNode, subscribe


class Export(csv.Dialect):
    delimiter = ";"
    quotechar = "'"
    doublequote = True
    lineterminator = "\n"
    quoting = csv.QUOTE_MINIMAL


csv.register_dialect("playlist-export", Export)


@dataclass(order=True)
class Track:
    artist: str
    title: str
    length: timedelta

    @classmethod
    def from_row(cls, row: dict[str, str]) -> "Track":
        minutes, _, seconds = row["length"].partition(":")
        length = timedelta(minutes=int(minutes), seconds=int(seconds or 0))
        return cls(row["artist"].strip(), row["title"].strip(), length)

    def to_row(self) -> dict[str, str]:
        total = int(self.length.total_seconds())
        return {"artist": self.artist, "title": self.title, "length": f"{total // 60}:{total % 60:02d}"}


class Playlist:
    columns = [field.name for field in fields(Track)]

    def __init__(self, text: str) -> None:
        self.tracks: list[Track] = []
        self.skipped: list[int] = []
        lines = io.StringIO(text.lstrip("\ufeff"))
        delimiter = max(",;\t", key=lines.readline().count)
        lines.seek(0)
        reader = csv.DictReader(lines, delimiter=delimiter, skipinitialspace=True)
        for row in reader:
            try:
                self.tracks.append(Track.from_row(row))
            except (KeyError, ValueError, AttributeError):
                self.skipped.append(reader.line_num)

    def export(self) -> str:
        out = io.StringIO()
        writer = csv.DictWriter(out, self.columns, dialect="playlist-export")
        writer.writeheader()
        writer.writerows(track.to_row() for track in sorted(self.tracks))
        return out.getvalue()


class PlaylistImport(GraphBusNode):
    @subscribe("/Music/Upload")
    def on_upload(self, user: str, text: str) -> dict[str, object]:
        playlist = Playlist(text)
        counts = Counter(track.artist for track in playlist.tracks)
        favourite = min(counts, key=lambda artist: (-counts[artist], artist), default=None)
        total = sum((track.length for track in playlist.tracks), timedelta())
        return {
            "user": user,
            "favourite": favourite,
            "total": str(total),
            "skipped_lines": playlist.skipped,
            "export": playlist.export(),
        }
