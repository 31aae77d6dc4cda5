# pure
"""Keeps nothing: the folder it writes to is made for each event and removed with all its files."""
import hashlib
import tempfile
import zipfile
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe

STAMP = (2000, 1, 1, 0, 0, 0)


class Spool:
    """Numbers the sheets in a folder by what lies there already."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, text: str) -> Path:
        number = len(list(self.folder.glob("*.txt"))) + 1
        path = self.folder / f"{number:03d}.txt"
        path.write_text(text, encoding="utf-8")
        return path

    def journal(self, path: Path) -> None:
        with (self.folder / "journal").open("a", encoding="ascii") as out:
            out.write(f"{path.name} {path.stat().st_size}\n")

    def bundle(self) -> Path:
        target = self.folder / "all.zip"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
            for path in sorted(self.folder.glob("*.txt")):
                archive.writestr(zipfile.ZipInfo(path.name, STAMP), path.read_bytes())
        return target


def paginate(text: str, lines: int) -> list[str]:
    rows = text.splitlines() or [""]
    return ["\n".join(rows[at : at + lines]) for at in range(0, len(rows), lines)]


class PrintSpool(GraphBusNode):
    @subscribe("/Print/Job")
    def on_job(self, job: str, text: str, lines: int) -> dict[str, object]:
        with tempfile.TemporaryDirectory(prefix="spool-") as name:
            spool = Spool(Path(name))
            for page in paginate(text, max(1, lines)):
                spool.journal(spool.put(page))
            journal = (spool.folder / "journal").read_text().split("\n")[:-1]
            digest = hashlib.sha256(spool.bundle().read_bytes()).hexdigest()
        return {"job": job, "pages": len(journal), "journal": journal, "bundle": digest[:12]}
