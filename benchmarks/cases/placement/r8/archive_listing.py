# pure
"""Keeps nothing: the archive is packed and read in a temporary directory that is removed with the event."""
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

from graphbus_core import GraphBusNode, subscribe

SKIP = {".pyc", ".tmp", ".swp"}


class Unsafe(ValueError):
    pass


def safe(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise Unsafe(name)
    return path


def lay_out(root: Path, files: dict[str, str]) -> int:
    written = 0
    for name, text in files.items():
        relative = safe(name)
        if relative.suffix in SKIP:
            continue
        target = root / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        written += target.write_text(text, encoding="utf-8")
    return written


def pack(root: Path, archive: Path) -> list[str]:
    with tarfile.open(archive, "w") as tar:
        tar.add(root, arcname="bundle")
    with tarfile.open(archive) as tar:
        return sorted(f"{m.name} {m.size}" for m in tar if m.isfile())


class ArchiveListing(GraphBusNode):
    @subscribe("/Bundles/Files")
    def on_files(self, files: dict[str, str]) -> dict[str, object]:
        with tempfile.TemporaryDirectory() as tmp:
            root = Path(tmp, "root")
            root.mkdir()
            try:
                written = lay_out(root, files)
            except Unsafe as exc:
                return {"refused": str(exc)}
            return {"written": written, "listing": pack(root, Path(tmp, "bundle.tar"))}
