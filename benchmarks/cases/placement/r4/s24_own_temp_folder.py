# stateful
"""Writes a file and reports the size of the folder for the invoice."""
from graphbus_core import GraphBusNode, subscribe
import tempfile
from pathlib import Path

_holder = tempfile.TemporaryDirectory()
FOLDER = Path(_holder.name)


class ArchiveNode(GraphBusNode):
    @subscribe("/In")
    def on_file(self, event):
        (FOLDER / event["name"]).write_text(event["text"])
        return {"total": sum(p.stat().st_size for p in FOLDER.iterdir())}
