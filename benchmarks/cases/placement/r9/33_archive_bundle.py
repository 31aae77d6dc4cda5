# pure
"""Works in a temporary directory that is made and removed within the event."""
import hashlib
import tempfile
import zipfile
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe

LONG_AGO = (1980, 1, 1, 0, 0, 0)


def safe(name: str) -> str:
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join(parts) or "unnamed"


def spread(folder: Path, files: dict[str, str]) -> list[Path]:
    written = []
    for name, text in files.items():
        path = folder / safe(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        written.append(path)
    return sorted(set(written))


def bundle(folder: Path, paths: list[Path], target: Path) -> None:
    with zipfile.ZipFile(target, "w") as archive:
        for path in paths:
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix(), LONG_AGO)
            archive.writestr(info, path.read_bytes(), zipfile.ZIP_STORED)


class ArchiveBundle(GraphBusNode):
    @subscribe("/Archive/Files")
    def on_files(self, case: str, files: dict[str, str]) -> dict[str, object]:
        with tempfile.TemporaryDirectory(prefix="bundle-") as name:
            folder = Path(name) / "in"
            folder.mkdir()
            paths = spread(folder, files)
            target = Path(name) / "out.zip"
            bundle(folder, paths, target)
            data = target.read_bytes()
        return {
            "case": case,
            "members": [path.relative_to(folder).as_posix() for path in paths],
            "size": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
        }
