# pure
"""Keeps nothing: the temporary folder is gone when the event is done, and the zip's dates are fixed."""
import io
import tempfile
import zipfile
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe

FIXED = (1980, 1, 1, 0, 0, 0)


def pack(folder: Path) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(folder.iterdir()):
            archive.writestr(zipfile.ZipInfo(path.name, FIXED), path.read_bytes())
    return memory.getvalue()


def safe(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name.lower()) or "unnamed"


class PolicyArchive(GraphBusNode):
    limit = 600

    @subscribe("/Policy/Archive")
    def archive(self, policy: str, documents: dict[str, str]) -> dict[str, object]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for title, text in documents.items():
                target = folder / f"{safe(title)}.txt"
                with target.open("a", encoding="utf-8") as out:
                    out.write(text + "\n")
            count = sum(1 for _ in folder.iterdir())
            data = pack(folder)
        return {"policy": policy, "files": count, "bytes": len(data), "split": len(data) > self.limit}
