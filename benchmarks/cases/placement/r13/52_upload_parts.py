# stateful
"""A work folder made at the start keeps the uploaded parts on disk until the form is complete."""
import tempfile
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe

PARTS = ("front", "back", "sketch")


class Inbox:
    def __init__(self) -> None:
        self._holder = tempfile.TemporaryDirectory(prefix="upload")
        self.root = Path(self._holder.name)

    def path(self, claim: str, part: str) -> Path:
        folder = self.root / claim
        folder.mkdir(exist_ok=True)
        return folder / f"{part}.txt"


class UploadParts(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.inbox = Inbox()

    @subscribe("/Upload/Part")
    def on_part(self, claim: str, part: str, text: str) -> dict[str, object]:
        if part not in PARTS:
            return {"claim": claim, "status": "refused"}
        target = self.inbox.path(claim, part)
        target.write_text(text, encoding="utf-8")
        missing = [p for p in PARTS if not target.with_name(f"{p}.txt").exists()]
        return {"claim": claim, "status": "waiting" if missing else "complete", "missing": missing}
