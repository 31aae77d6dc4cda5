# pure
"""Writes files into a temporary folder that is removed before the answer is given; keeps nothing on disk or in memory."""
import tempfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from graphbus_core import GraphBusNode, subscribe

STAMP = (2020, 1, 1, 0, 0, 0)


def _inside(name: str) -> PurePosixPath | None:
    path = PurePosixPath(name.strip().lstrip("/"))
    return None if ".." in path.parts or not path.parts else path


def _write(root: Path, files: dict[str, str]) -> list[str]:
    refused = []
    for name, content in files.items():
        relative = _inside(name)
        if relative is None:
            refused.append(name)
            continue
        target = root / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8", newline="\n")
    return refused


def _pack(root: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as bundle:
        for path in sorted(p for p in root.rglob("*") if p.is_file()):
            info = zipfile.ZipInfo(path.relative_to(root).as_posix(), STAMP)
            bundle.writestr(info, path.read_bytes())


class BundleSizes(GraphBusNode):
    @subscribe("/Release/Bundle")
    def on_bundle(self, release: str, files: dict[str, str]) -> dict:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder, "content")
            root.mkdir()
            refused = _write(root, files)
            archive = Path(folder, "bundle.zip")
            _pack(root, archive)
            with zipfile.ZipFile(archive) as bundle:
                names = bundle.namelist()
            raw = archive.read_bytes()
        return {"release": release, "names": names, "bytes": len(raw), "crc": f"{zlib.crc32(raw):08x}", "refused": refused}
