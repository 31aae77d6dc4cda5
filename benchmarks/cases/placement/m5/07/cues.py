from __future__ import annotations

import csv
import io

from graphbus_core import GraphBusNode, subscribe

from timecode import Timecode

csv.register_dialect("cues", delimiter=";", skipinitialspace=True)


class CueShifter(GraphBusNode):
    """Moves cue times by some frames."""

    @subscribe("/Cue/Shift")
    def on_shift(self, start: str, end: str, frames: int, fps: int) -> list[str]:
        return [str(Timecode.parse(t, fps) + frames) for t in (start, end)]


class CueImporter(GraphBusNode):
    @subscribe("/Cue/Import")
    def on_import(self, text: str) -> list[dict[str, str]]:
        rows = csv.reader(io.StringIO(text), dialect="cues")
        return [dict(zip(("in", "out", "text"), row)) for row in rows]


class CueExporter(GraphBusNode):
    @subscribe("/Cue/Export")
    def on_export(self, cues: list[list[str]]) -> str:
        out = io.StringIO()
        csv.writer(out, delimiter=";", lineterminator="|").writerows(cues)
        return out.getvalue()
